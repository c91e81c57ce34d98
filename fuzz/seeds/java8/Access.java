/** An inner class that reads private members, by way of synthetic accessors, and StringBuilder concatenation. */
class Access {
    private int hidden = 1;
    class Inner { String read(long x) { return "h" + hidden++ + x; } }
    static Class<?> literal() { return Access[].class; }
}
