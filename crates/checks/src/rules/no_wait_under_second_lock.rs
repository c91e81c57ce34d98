//! `no-wait-under-second-lock`: no thread waits for a signal while it holds a lock that the sender needs.

use crate::finding::Level;
use crate::report::Command;
use crate::rule::{Explanation, Rule};

pub(super) static RULE: Rule = Rule::new(
    "no-wait-under-second-lock",
    Command::Locks,
    Level::Error,
    "no thread waits for a signal while it holds a lock that the sender needs",
    Explanation {
        proves: r#"
No thread calls `wait()` or `await()`, without a time limit, while it holds a second lock that
every thread able to wake it must take first.
"#,
        matters: r#"
Waiting gives back only the lock that is waited on. Any other lock stays taken, so if all who
could send the signal need it, the signal never comes.
"#,
        example: r#"
    class Mailbox {
        private final Object signal = new Object();
        private String letter;

        synchronized String take() throws InterruptedException {
            synchronized (signal) {
                while (letter == null) {
                    signal.wait();
                }
                String taken = letter;
                letter = null;
                return taken;
            }
        }

        synchronized void put(String newLetter) {
            synchronized (signal) {
                letter = newLetter;
                signal.notifyAll();
            }
        }
    }

`take()` on an empty mailbox waits on `signal` but keeps the lock on the mailbox itself. `put` is
synchronized on the mailbox too and never gets in.
"#,
        limits: r#"
Reported only if every known place that could send the signal needs the held lock. Waiting with a
time limit is not reported, and neither is a signal sent from native code.
"#,
        fix: r#"
Wait and signal on the one lock that guards the state, and take no other around it: here, drop
`signal` and use `wait()` and `notifyAll()` on the mailbox itself. Better still, use a class made
for it, such as `BlockingQueue` or `CountDownLatch`, and call it without holding a lock.
"#,
    },
);
