//! Twins: pieces of code that differ in a token or two, one with a deadlock and one without. Each pair is
//! about one thing that `jury locks` takes for a reason. All are compiled and judged in one run.

use std::collections::BTreeSet;
use std::process::Command;

/// What is judged: a package, whether it has a deadlock, and its classes.
type Case = (&'static str, bool, &'static str);

const ORDERS: &[Case] = &[
    (
        "serial",
        false,
        "import java.util.concurrent.atomic.AtomicLong;
         public class A {
             private static final AtomicLong NEXT = new AtomicLong();
             private final long id = NEXT.getAndIncrement();
             public void move(A to) {
                 A first = id < to.id ? this : to, second = id < to.id ? to : this;
                 synchronized (first) { synchronized (second) { work(); } }
             }
             private void work() { }
         }",
    ),
    (
        "serial_reset",
        true,
        "import java.util.concurrent.atomic.AtomicLong;
         public class A {
             private static final AtomicLong NEXT = new AtomicLong();
             private final long id = NEXT.getAndIncrement();
             public static void reset() { NEXT.set(0); }
             public void move(A to) {
                 A first = id < to.id ? this : to, second = id < to.id ? to : this;
                 synchronized (first) { synchronized (second) { work(); } }
             }
             private void work() { }
         }",
    ),
    (
        "serial_inverted",
        true,
        "import java.util.concurrent.atomic.AtomicLong;
         public class A {
             private static final AtomicLong NEXT = new AtomicLong();
             private final long id = NEXT.getAndIncrement();
             public void move(A to) {
                 if (id < to.id) { synchronized (this) { synchronized (to) { work(); } } }
                 else { synchronized (this) { synchronized (to) { work(); } } }
             }
             private void work() { }
         }",
    ),
    (
        "serial_not_final",
        true,
        "import java.util.concurrent.atomic.AtomicLong;
         public class A {
             private static final AtomicLong NEXT = new AtomicLong();
             private long id = NEXT.getAndIncrement();
             public void renumber() { id = NEXT.getAndIncrement(); }
             public void move(A to) {
                 if (id < to.id) { synchronized (this) { synchronized (to) { work(); } } }
                 else { synchronized (to) { synchronized (this) { work(); } } }
             }
             private void work() { }
         }",
    ),
    (
        "given_strict",
        false,
        "public class A {
             private final int id;
             public A(int id) { this.id = id; }
             public void move(A to) {
                 if (id < to.id) { synchronized (this) { synchronized (to) { work(); } } }
                 else if (id > to.id) { synchronized (to) { synchronized (this) { work(); } } }
             }
             private void work() { }
         }",
    ),
    (
        "given_with_ties",
        true,
        "public class A {
             private final int id;
             public A(int id) { this.id = id; }
             public void move(A to) {
                 if (id <= to.id) { synchronized (this) { synchronized (to) { work(); } } }
                 else { synchronized (to) { synchronized (this) { work(); } } }
             }
             private void work() { }
         }",
    ),
    (
        "given_through_factory",
        true,
        "public class A {
             private final String name;
             private A(String name) { this.name = name; }
             public static A of(String name) { return name == null ? null : new A(name); }
             public static void both(A a, A b) {
                 A first = a.name.compareTo(b.name) < 0 ? a : b, second = first == a ? b : a;
                 synchronized (first) { synchronized (second) { work(); } }
             }
             private static void work() { }
         }",
    ),
    (
        "given_once",
        false,
        "import java.util.HashSet;
         import java.util.Set;
         public class A {
             private static final Set<String> NAMES = new HashSet<>();
             private final String name;
             private A(String name) { this.name = name; }
             public static A of(String name) {
                 synchronized (NAMES) { return NAMES.add(name) ? new A(name) : null; }
             }
             public static void both(A a, A b) {
                 if (a == b) { return; }
                 A first = a.name.compareTo(b.name) < 0 ? a : b, second = first == a ? b : a;
                 synchronized (first) { synchronized (second) { work(); } }
             }
             private static void work() { }
         }",
    ),
    (
        "random",
        false,
        "import java.util.UUID;
         public class A {
             private final UUID id = UUID.randomUUID();
             public void move(A to) {
                 A first = id.compareTo(to.id) < 0 ? this : to, second = first == this ? to : this;
                 synchronized (first) { synchronized (second) { work(); } }
             }
             private void work() { }
         }",
    ),
    (
        "by_comparator",
        false,
        "import java.util.Comparator;
         public class A {
             private static final Comparator<A> ORDER = Comparator.comparingInt(a -> a.rank);
             private final int rank;
             public A(int rank) { this.rank = rank; }
             public void move(A to) {
                 int sign = ORDER.compare(this, to);
                 if (sign == 0) { return; }
                 A first = sign < 0 ? this : to, second = sign < 0 ? to : this;
                 synchronized (first) { synchronized (second) { work(); } }
             }
             private void work() { }
         }",
    ),
    (
        "by_comparators",
        true,
        "import java.util.Comparator;
         public class A {
             private final Comparator<A> order;
             public A(Comparator<A> order) { this.order = order; }
             public void move(A to) {
                 int sign = order.compare(this, to);
                 if (sign == 0) { return; }
                 A first = sign < 0 ? this : to, second = sign < 0 ? to : this;
                 synchronized (first) { synchronized (second) { work(); } }
             }
             private void work() { }
         }",
    ),
    (
        "hash_tie",
        false,
        "public class A {
             private static final Object TIE = new Object();
             public static void both(A a, A b) {
                 int x = System.identityHashCode(a), y = System.identityHashCode(b);
                 if (x == y) { synchronized (TIE) { synchronized (a) { synchronized (b) { work(); } } } }
                 else if (x < y) { synchronized (a) { synchronized (b) { work(); } } }
                 else { synchronized (b) { synchronized (a) { work(); } } }
             }
             private static void work() { }
         }",
    ),
    (
        "hash_no_tie",
        true,
        "public class A {
             private static final Object TIE = new Object();
             public static void both(A a, A b) {
                 int x = System.identityHashCode(a), y = System.identityHashCode(b);
                 if (x <= y) { synchronized (a) { synchronized (b) { work(); } } }
                 else { synchronized (b) { synchronized (a) { work(); } } }
             }
             private static void work() { }
         }",
    ),
    (
        "hash_part_tie",
        false,
        "public class A {
             private static final Object TIE = new Object();
             public static void both(A a, A b) {
                 int x = System.identityHashCode(a) & 7, y = System.identityHashCode(b) & 7;
                 if (x == y) { synchronized (TIE) { synchronized (a) { synchronized (b) { work(); } } } }
                 else if (x < y) { synchronized (a) { synchronized (b) { work(); } } }
                 else { synchronized (b) { synchronized (a) { work(); } } }
             }
             private static void work() { }
         }",
    ),
    (
        "hash_two_parts",
        true,
        "public class A {
             private static final Object TIE = new Object();
             public static void both(A a, A b) {
                 int x = System.identityHashCode(a) & 7, y = System.identityHashCode(b) & 3;
                 if (x == y) { synchronized (TIE) { synchronized (a) { synchronized (b) { work(); } } } }
                 else if (x < y) { synchronized (a) { synchronized (b) { work(); } } }
                 else { synchronized (b) { synchronized (a) { work(); } } }
             }
             private static void work() { }
         }",
    ),
    (
        "ordinal",
        false,
        "public class A {
             public enum Kind { P, Q, R }
             public static void both(Kind x, Kind y) {
                 Kind a = x.ordinal() < y.ordinal() ? x : y, b = a == x ? y : x;
                 synchronized (a) { synchronized (b) { work(); } }
             }
             private static void work() { }
         }",
    ),
    (
        "ordinal_inverted",
        true,
        "public class A {
             public enum Kind { P, Q, R }
             public static void both(Kind x, Kind y) {
                 Kind a = x.ordinal() < y.ordinal() ? x : y, b = a == x ? y : x;
                 synchronized (x) { synchronized (y) { work(); } }
             }
             private static void work() { }
         }",
    ),
    (
        "swapped",
        false,
        "public final class A {
             private final String name;
             public A(String name) { this.name = name; }
             public static void both(A a, A b) {
                 int order = a.name.compareTo(b.name);
                 if (order == 0) { return; }
                 if (order > 0) { A t = a; a = b; b = t; }
                 locked(a, b);
             }
             private static void locked(A a, A b) {
                 synchronized (a) { synchronized (b) { work(); } }
             }
             private static void work() { }
         }",
    ),
    (
        "swapped_never",
        true,
        "public final class A {
             private final String name;
             public A(String name) { this.name = name; }
             public static void both(A a, A b) {
                 int order = a.name.compareTo(b.name);
                 if (order == 0) { return; }
                 if (order > 0) { A t = a; a = b; a = t; }
                 locked(a, b);
             }
             private static void locked(A a, A b) {
                 synchronized (a) { synchronized (b) { work(); } }
             }
             private static void work() { }
         }",
    ),
    (
        "one_way_round",
        true,
        "public class A {
             private final int id;
             public A(int id) { this.id = id; }
             public void down(A to) {
                 if (id > to.id) { synchronized (this) { synchronized (to) { work(); } } }
             }
             public void up(A to) {
                 if (id < to.id) { synchronized (this) { synchronized (to) { work(); } } }
             }
             private void work() { }
         }",
    ),
    (
        "other_key",
        true,
        "public class A {
             private final int id;
             private final int rank;
             public A(int id, int rank) { this.id = id; this.rank = rank; }
             public void by_id(A to) {
                 if (id < to.id) { synchronized (this) { synchronized (to) { work(); } } }
             }
             public void by_rank(A to) {
                 if (rank < to.rank) { synchronized (this) { synchronized (to) { work(); } } }
             }
             private void work() { }
         }",
    ),
    (
        "locks_in_fields",
        false,
        "import java.util.concurrent.locks.ReentrantLock;
         public class A {
             private final ReentrantLock lock = new ReentrantLock();
             private final int id;
             public A(int id) { this.id = id; }
             public void move(A to) {
                 if (id == to.id) return;
                 A first = id < to.id ? this : to, second = id < to.id ? to : this;
                 first.lock.lock();
                 try { second.lock.lock(); try { work(); } finally { second.lock.unlock(); } }
                 finally { first.lock.unlock(); }
             }
             private void work() { }
         }",
    ),
    (
        "locks_in_fields_shared",
        true,
        "import java.util.concurrent.locks.ReentrantLock;
         public class A {
             private final ReentrantLock lock;
             private final int id;
             public A(int id, ReentrantLock lock) { this.id = id; this.lock = lock; }
             public void move(A to) {
                 if (id == to.id) return;
                 A first = id < to.id ? this : to, second = id < to.id ? to : this;
                 first.lock.lock();
                 try { second.lock.lock(); try { work(); } finally { second.lock.unlock(); } }
                 finally { first.lock.unlock(); }
             }
             private void work() { }
         }",
    ),
];

const CHAINS: &[Case] = &[
    (
        "chain",
        false,
        "public class A {
             private A next;
             public synchronized void add() { next = new A(next); }
             private A(A next) { this.next = next; }
             public A() { }
             public synchronized int size() { return next == null ? 1 : 1 + next.size(); }
         }",
    ),
    (
        "chain_relinked",
        true,
        "public class A {
             private A next;
             public synchronized void add() { next = new A(next); }
             public synchronized void join(A other) { next = other; }
             private A(A next) { this.next = next; }
             public A() { }
             public synchronized int size() { return next == null ? 1 : 1 + next.size(); }
         }",
    ),
    (
        "append",
        false,
        "public class A {
             private static final class Node {
                 final int key;
                 Node next;
                 Node(int key, Node next) { this.key = key; this.next = next; }
             }
             private final Node head = new Node(0, null);
             public void add(int key) {
                 Node p = head;
                 synchronized (p) {
                     Node q = p.next;
                     if (q == null) { p.next = new Node(key, null); return; }
                     synchronized (q) {
                         if (q.key > key) { p.next = new Node(key, q); }
                         else if (q.next == null) { q.next = new Node(key, null); }
                     }
                 }
             }
         }",
    ),
    (
        "append_head",
        true,
        "public class A {
             private static final class Node {
                 final int key;
                 Node next;
                 Node(int key, Node next) { this.key = key; this.next = next; }
             }
             private final Node head = new Node(0, null);
             public void add(int key) {
                 Node p = head;
                 synchronized (p) {
                     Node q = p.next;
                     if (q == null) { p.next = new Node(key, null); return; }
                     synchronized (q) {
                         if (q.key > key) { p.next = new Node(key, q); }
                         else if (q.next == null) { q.next = new Node(key, p); }
                     }
                 }
             }
             public void back(int n) {
                 Node p = head;
                 for (int i = 0; i < n; i++) { p = p.next; }
                 synchronized (p) { synchronized (p.next) { work(); } }
             }
             private static void work() { }
         }",
    ),
    (
        "part_has_lock_of_whole",
        false,
        "public class A {
             private final Object lock = new Object();
             private final Part part = new Part(lock);
             public void down() { synchronized (lock) { part.work(); } }
             public void up() { part.call(this); }
             private void work() { synchronized (lock) { } }
             private static final class Part {
                 private final Object mutex;
                 Part(Object mutex) { this.mutex = mutex; }
                 void work() { synchronized (mutex) { } }
                 void call(A a) { synchronized (mutex) { a.work(); } }
             }
         }",
    ),
    (
        "part_has_other_lock",
        true,
        "public class A {
             private final Object lock = new Object();
             private final Part part = new Part(new Object());
             public void down() { synchronized (lock) { part.work(); } }
             public void up() { part.call(this); }
             private void work() { synchronized (lock) { } }
             private static final class Part {
                 private final Object mutex;
                 Part(Object mutex) { this.mutex = mutex; }
                 void work() { synchronized (mutex) { } }
                 void call(A a) { synchronized (mutex) { a.work(); } }
             }
         }",
    ),
    (
        "asked_class",
        true,
        "public class A {
             private final Object lock = new Object();
             public void up() { synchronized (lock) { synchronized (getClass()) { work(); } } }
             public static synchronized void down(A a) { synchronized (a.lock) { work(); } }
             private static void work() { }
         }",
    ),
    (
        "asked_class_alone",
        false,
        "public class A {
             private final Object lock = new Object();
             public void up() { synchronized (lock) { synchronized (getClass()) { work(); } } }
             public static void down(A a) { synchronized (a.lock) { work(); } }
             private static void work() { }
         }",
    ),
];

const MODES: &[Case] = &[
    (
        "readers",
        false,
        "import java.util.concurrent.locks.ReentrantReadWriteLock;
         public class A {
             private final ReentrantReadWriteLock a = new ReentrantReadWriteLock();
             private final ReentrantReadWriteLock b = new ReentrantReadWriteLock();
             public void ab() {
                 a.readLock().lock(); b.readLock().lock();
                 b.readLock().unlock(); a.readLock().unlock();
             }
             public void ba() {
                 b.readLock().lock(); a.readLock().lock();
                 a.readLock().unlock(); b.readLock().unlock();
             }
         }",
    ),
    (
        "readers_and_writers",
        true,
        "import java.util.concurrent.locks.ReentrantReadWriteLock;
         public class A {
             private final ReentrantReadWriteLock a = new ReentrantReadWriteLock();
             private final ReentrantReadWriteLock b = new ReentrantReadWriteLock();
             public void ab() {
                 a.readLock().lock(); b.readLock().lock();
                 b.readLock().unlock(); a.readLock().unlock();
             }
             public void ba() {
                 b.readLock().lock(); a.readLock().lock();
                 a.readLock().unlock(); b.readLock().unlock();
             }
             public void write() {
                 a.writeLock().lock(); a.writeLock().unlock();
                 b.writeLock().lock(); b.writeLock().unlock();
             }
         }",
    ),
    (
        "converted",
        false,
        "import java.util.concurrent.locks.StampedLock;
         public class A {
             private final StampedLock lock = new StampedLock();
             private int n;
             public void raise() {
                 long stamp = lock.readLock();
                 while (n == 0) {
                     long write = lock.tryConvertToWriteLock(stamp);
                     if (write != 0L) { stamp = write; n = 1; break; }
                     lock.unlockRead(stamp);
                     stamp = lock.writeLock();
                 }
                 lock.unlock(stamp);
             }
         }",
    ),
    (
        "tried",
        true,
        "import java.util.concurrent.locks.StampedLock;
         public class A {
             private final StampedLock lock = new StampedLock();
             private int n;
             public void raise() {
                 long stamp = lock.readLock();
                 while (n == 0) {
                     long write = lock.tryWriteLock();
                     if (write != 0L) { stamp = write; n = 1; break; }
                     lock.unlockRead(stamp);
                     stamp = lock.writeLock();
                 }
                 lock.unlock(stamp);
             }
         }",
    ),
    (
        "started_in_constructor",
        true,
        "public class A {
             private final Object a = new Object();
             private final Object b = new Object();
             public A() { new Thread() { public void run() { synchronized (a) { inner(); } } }.start(); }
             private void inner() { synchronized (b) { } }
             public void other() { synchronized (b) { synchronized (a) { } } }
         }",
    ),
    (
        "started_nowhere",
        false,
        "public class A {
             private final Object a = new Object();
             private final Object b = new Object();
             public A() { synchronized (a) { inner(); } }
             private void inner() { synchronized (b) { } }
             public void other() { synchronized (b) { synchronized (a) { } } }
         }",
    ),
];

#[test]
fn keys_are_compared_before_locking() {
    judge(ORDERS);
}

#[test]
fn chains_and_classes() {
    judge(CHAINS);
}

/// Locks inside of objects that a factory of the library gives, and what these are made around.
const WRAPPERS: &[Case] = &[
    (
        "wrappers",
        true,
        "import java.util.*;
         public class A {
             private final List<String> all = Collections.synchronizedList(new ArrayList<>());
             public boolean take(A other) { return all.addAll(other.all); }
         }",
    ),
    (
        "wrappers_copied",
        false,
        "import java.util.*;
         public class A {
             private final List<String> all = Collections.synchronizedList(new ArrayList<>());
             public boolean take(A other) { return all.addAll(new ArrayList<>(other.all)); }
         }",
    ),
    (
        "wrappers_missing",
        false,
        "import java.util.*;
         public class A {
             private final List<String> all = new ArrayList<>();
             public boolean take(A other) { return all.addAll(other.all); }
         }",
    ),
    (
        "wrapper_first",
        true,
        "import java.util.*;
         public class A {
             private final List<String> all = Collections.synchronizedList(new ArrayList<>());
             public synchronized void one(String text) { all.add(text); }
             public void two() { synchronized (all) { synchronized (this) { } } }
         }",
    ),
    (
        "wrapper_last",
        false,
        "import java.util.*;
         public class A {
             private final List<String> all = Collections.synchronizedList(new ArrayList<>());
             public synchronized void one(String text) { all.add(text); }
             public synchronized void two() { synchronized (all) { synchronized (this) { } } }
         }",
    ),
    (
        "one_static_lock",
        false,
        "public class A {
             private static final Object LOCK = new Object();
             private final Object lock;
             public A() { lock = LOCK; }
             public void take(A other) { synchronized (lock) { synchronized (other.lock) { } } }
         }",
    ),
    (
        "own_locks",
        true,
        "public class A {
             private final Object lock;
             public A() { lock = new Object(); }
             public void take(A other) { synchronized (lock) { synchronized (other.lock) { } } }
         }",
    ),
];

#[test]
fn what_factories_give() {
    judge(WRAPPERS);
}

/// Deadlocks inside of the library that judged code brings about, none of which may be said to be impossible.
#[test]
fn what_the_library_calls_back_is_not_proved() {
    let element = "class El {
        private final A owner;
        El(A owner) { this.owner = owner; }
        public synchronized int hashCode() { return 1; }
        public synchronized boolean equals(Object other) { return this == other; }
        public synchronized String toString() { return \"\"; }
        synchronized int v() { return 1; }
        public synchronized void back() { owner.call(this, null); }
    }";
    let calls = [
        "java.util.Objects.requireNonNullElseGet(null, () -> e.v())",
        "new java.util.HashSet<>(es)",
        "new java.util.HashSet<Object>().addAll(es)",
        "java.text.MessageFormat.format(\"{0}\", e)",
        "new java.util.ArrayList<>(es).removeAll(es)",
    ];
    let called = calls.map(|call| {
        format!(
            "public class A {{
                public synchronized void call(El e, java.util.List<El> es) {{ Object o = {call}; }}
                public El make() {{ return new El(this); }}
            }}
            {element}"
        )
    });
    let crosswise = |made: &str, call: &str| {
        format!(
            "public class A {{
                private final java.util.{made} a = new java.util.{made}();
                private final java.util.{made} b = new java.util.{made}();
                public void f() {{ a{call}(b{view}); }}
                public void g() {{ b{call}(a{view}); }}
            }}",
            view = call.rsplit_once('.').map_or("", |it| it.0),
        )
    };
    let crossed = [
        crosswise("Vector<String>", ".removeAll"),
        crosswise("Vector<String>", ".retainAll"),
        crosswise("Hashtable<String, String>", ".keySet().retainAll"),
        crosswise("Hashtable<String, String>", ".values().removeAll"),
    ];
    let inserted = "public class A {
        public static void f(StringBuffer a, StringBuffer b) { a.insert(0, b); }
    }";
    let sources = called.iter().chain(&crossed).map(String::as_str).chain([inserted]);
    for source in sources {
        let classes = testkit::javac::compile(&[("A.java", source)], &[]).expect("it compiles");
        let findings = findings_of(&classes, &["--all"]);
        let mut of_order = findings.iter().filter(|it| it["rule"] == "lock-order-acyclic");
        assert!(!of_order.any(|it| it["verdict"] == "holds"), "{source}");
    }
}

/// The library may initialise a class that it is told, by calling methods of it by name.
#[test]
fn classes_that_are_handed_over_may_be_initialised() {
    for call in ["new java.util.EnumMap<>(Op.class)", "Enum.valueOf(Op.class, \"P\")"] {
        let source = format!(
            "public class A {{
                private static final Object MADE = {call};
                static int n() {{ return 1; }}
            }}
            enum Op {{ P, Q; static final int N = A.n(); }}"
        );
        let classes = testkit::javac::compile(&[("A.java", &source)], &[]).expect("it compiles");
        let findings = findings_of(&classes, &["--all"]);
        let mut of_classes = findings.iter().filter(|it| it["rule"] == "class-init-acyclic");
        assert!(!of_classes.any(|it| it["verdict"] == "holds"), "{source}");
    }
}

#[test]
fn modes_and_threads() {
    judge(MODES);
}

/// Deadlocks that the search does not find, which is no reason to say that there is none.
#[test]
fn what_is_not_searched_is_not_proved() {
    let locks: String =
        (0..9).map(|at| format!("private static final Object L{at} = new Object();\n")).collect();
    let nested = |at: usize| {
        let next = (at + 1) % 9;
        format!(
            "public static void m{at}() {{ synchronized (L{at}) {{ synchronized (L{next}) {{ }} }} }}\n"
        )
    };
    let nine = format!("public class A {{ {locks} {} }}", (0..9).map(nested).collect::<String>());
    let leaked = "public class A {
        private static A current;
        public A() { current = this; synchronized (this) { synchronized (A.class) { } } }
        public static void other() {
            synchronized (A.class) { A a = current; if (a != null) synchronized (a) { } }
        }
    }";
    let leaked_part = "public class A {
        private final Object lock = new Object();
        public A(java.util.List<A> all) {
            register(all);
            synchronized (lock) { synchronized (A.class) { } }
        }
        private void register(java.util.List<A> all) { all.add(this); }
        public void other() { synchronized (A.class) { synchronized (lock) { } } }
    }";
    for source in [&nine, leaked, leaked_part] {
        let classes = testkit::javac::compile(&[("A.java", source)], &[]).expect("it compiles");
        let rule = |it: &&serde_json::Value| it["rule"] == "lock-order-acyclic";
        let findings = findings_of(&classes, &["--all"]);
        let verdicts: Vec<_> = findings.iter().filter(rule).map(|it| &it["verdict"]).collect();
        assert!(!verdicts.is_empty() && !verdicts.iter().any(|it| *it == "holds"), "{source}");
    }
}

fn findings_of(classes: &std::path::Path, options: &[&str]) -> Vec<serde_json::Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_jury"))
        .args(["locks", "--no-replay", "--format", "json", "--fail-on", "never"])
        .args(options)
        .arg(classes)
        .output()
        .expect("jury runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["findings"].as_array().expect("findings").clone()
}

fn judge(cases: &[Case]) {
    let sources: Vec<(String, String)> = cases
        .iter()
        .map(|(package, _, source)| {
            let at = source.find("public").expect("a class");
            let (imports, class) = source.split_at(at);
            let name = format!("{package}/A.java");
            (name, format!("package {package};\n{imports}\n{class}"))
        })
        .collect();
    let units: Vec<(&str, &str)> =
        sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let classes = testkit::javac::compile(&units, &[]).expect("it compiles");
    let findings = findings_of(&classes, &[]);
    let accused: BTreeSet<&str> = findings
        .iter()
        .filter(|it| it["verdict"] == "possible")
        .filter_map(|it| it["classes"][0].as_str())
        .filter_map(|class| class.split('.').next())
        .collect();
    let expected: BTreeSet<&str> =
        cases.iter().filter(|(_, hangs, _)| *hangs).map(|(package, ..)| *package).collect();
    assert_eq!(accused, expected);
}
