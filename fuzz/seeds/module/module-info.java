/** A module descriptor with each kind of directive. */
@Deprecated
open module seed.module {
    requires transitive java.logging;
    requires static java.sql;
    exports p;
    exports p.q to java.logging, java.sql;
    uses Runnable;
    provides Runnable with p.Service;
}
