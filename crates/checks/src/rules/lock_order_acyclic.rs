//! `lock-order-acyclic`: no circle of threads can form, each waiting for a lock that the next one holds.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "lock-order-acyclic",
    Command::Locks,
    Level::Error,
    "no circle of threads can form, each waiting for a lock that the next one holds",
    Explanation {
        proves: r#"
However callers use the public methods from several threads, no circle of threads can arise in
which each holds a lock and waits for the lock of the next. Locks are the monitors of
`synchronized` methods and blocks, and those of `java.util.concurrent.locks`. With `--world main`,
callers are only the threads that `main` methods of the judged classes start.
"#,
        matters: r#"
Threads in such a circle wait forever. Nothing is thrown or logged, the processor idles, and more
threads pile up behind. It depends on timing, so tests rarely meet it.
"#,
        example: r#"
    class Account {
        private long balance;

        synchronized void deposit(long amount) {
            balance += amount;
        }

        synchronized void transfer(Account to, long amount) {
            balance -= amount;
            to.deposit(amount);
        }
    }

One thread calls `a.transfer(b, 1)` and holds `a`, another calls `b.transfer(a, 1)` and holds `b`.
Each now waits for the other's account.
"#,
        limits: r#"
A cycle is reported as `violated` only if a program made from it hung on a JVM; otherwise it is
`possible`, with the calls that lead there. Native methods, reflection and calls into code that
was not given are listed as assumptions. Locks taken by `tryLock` with a time limit do not wait
forever and close no cycle.
"#,
        fix: r#"
- Agree on an order: always take the lock of the account with the smaller id first, whoever
  transfers to whom. The id must be unique and must not change; hash codes are neither.

- Hold one lock at a time: copy what you need inside the lock, then call listeners, callbacks and
  methods of other objects after leaving it.

- Guard both objects with one common lock.

If the order can only be kept by callers, document it for them: which methods lock what, and in
which order.
"#,
    },
);
