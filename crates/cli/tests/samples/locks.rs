//! Deadlocks: a ring of three, a pair, class initialisers, a pruned cycle, one that is gone.

use checks::cycle::{Alternatives, Change, Group, Lock, LockKind, Place, Thread};
use checks::report::LockUsage;
use checks::{
    Command, Construction, Cycle, Finding, Outcome, Replay, Report, Scope, Subject, Verdict,
};

use super::{at, evidence, finding, strings};

pub(super) fn three_cycle() -> Report {
    Report::new(Outcome {
        inputs: strings(&["bank-2.0.jar"]),
        jdk: Some("17.0.15".to_owned()),
        n_classes: 1_204,
        n_methods: 126_921,
        findings: vec![ring(), initialisers(), pruned(), gone(), no_wait()],
        lock_usage: vec![usage("bank.Branch", 14, 2), usage("bank.Audit.LOCK", 0, 1_035)],
        ..Outcome::new(Command::Locks)
    })
}

fn usage(name: &str, methods: usize, blocks: usize) -> LockUsage {
    LockUsage { name: name.to_owned(), methods, blocks }
}

fn ring() -> Finding {
    let alternatives = Alternatives {
        count: 3,
        stacks: vec![strings(&[
            "bank.Audit.close(Audit.java:70)",
            "bank.Branch.seal(Branch.java:91)",
        ])],
    };
    let cycle = Cycle {
        locks: vec![
            lock(LockKind::Monitor, Place::StaticField, "bank.Audit.LOCK", "java.lang.Object"),
            lock(LockKind::Monitor, Place::This, "bank.Branch", "bank.Branch"),
            lock(
                LockKind::JucWrite,
                Place::Field,
                "bank.Ledger.guard",
                "java.util.concurrent.locks.ReentrantReadWriteLock",
            ),
        ],
        threads: vec![
            Thread {
                alternatives,
                ..thread(
                    0,
                    1,
                    "bank.Audit.run()V",
                    &["bank.Audit.run(Audit.java:41)", "bank.Branch.freeze(Branch.java:88)"],
                )
            },
            thread(
                1,
                2,
                "bank.Branch.post(J)V",
                &["bank.Branch.post(Branch.java:52)", "bank.Ledger.add(Ledger.java:30)"],
            ),
            thread(
                2,
                0,
                "bank.Ledger.flush()V",
                &["bank.Ledger.flush(Ledger.java:64)", "bank.Audit.note(Native Method)"],
            ),
        ],
        containers: strings(&[
            "bank.Audit.branches: java.util.List<bank.Branch>",
            "bank.Branch.ledger: bank.Ledger",
        ]),
        group: Group::Longer,
        pruned: None,
        change: Some(Change::New),
    };
    let evidence = evidence(
        Construction::Public,
        Replay::Inconclusive,
        "Branch branch = new Branch();\nnew Thread(new Audit(branch)).start();",
        &[],
    );
    with_cycle(
        cycle,
        Finding {
            classes: strings(&["bank.Audit", "bank.Branch", "bank.Ledger"]),
            notes: strings(&[
                "the library could fix it: Ledger.flush could note after leaving the write lock",
            ]),
            ..finding(
                "lock-order-acyclic",
                at("bank.Audit", "run()V", "Audit.java", 41),
                Verdict::from_evidence(evidence, vec![]),
                "Three threads that audit, post and flush at the same time can wait for each other forever.",
            )
        },
    )
}

fn initialisers() -> Finding {
    let cycle = Cycle {
        locks: vec![
            lock(LockKind::ClassInit, Place::Class, "bank.Level", "bank.Level"),
            lock(LockKind::ClassInit, Place::Class, "bank.Priority", "bank.Priority"),
        ],
        threads: vec![
            thread(0, 1, "bank.Level.<clinit>()V", &["bank.Level.<clinit>(Level.java:5)"]),
            thread(1, 0, "bank.Priority.<clinit>()V", &[]),
        ],
        containers: vec![],
        group: Group::ClassInit,
        pruned: None,
        change: Some(Change::Unchanged),
    };
    let evidence = evidence(
        Construction::Public,
        Replay::Reproduced,
        &(0..50).map(|n| format!("step({n});\n")).collect::<String>(),
        &["both threads still waiting after 2 s"],
    );
    with_cycle(
        cycle,
        finding(
            "class-init-acyclic",
            at("bank.Level", "<clinit>()V", "Level.java", 5),
            Verdict::from_evidence(evidence, vec![]),
            "Initialising Level needs its superclass Priority, whose initialiser needs Level.",
        ),
    )
}

fn pruned() -> Finding {
    with_cycle(
        Cycle { pruned: Some("gate lock bank.Gate.LOCK".to_owned()), ..pair() },
        pair_finding(),
    )
}

fn gone() -> Finding {
    let mut finding = with_cycle(Cycle { change: Some(Change::Gone), ..pair() }, pair_finding());
    finding.subject.line = Some(11);
    finding
}

fn pair_finding() -> Finding {
    let evidence = evidence(Construction::Public, Replay::NotRun, "", &[]);
    finding(
        "lock-order-acyclic",
        at("bank.Account", "transfer(Lbank/Account;J)V", "Account.java", 10),
        Verdict::from_evidence(evidence, vec![]),
        "Two transfers in opposite directions can wait for each other forever.",
    )
}

fn pair() -> Cycle {
    let account = || lock(LockKind::Monitor, Place::Parameter, "bank.Account", "bank.Account");
    Cycle {
        locks: vec![account(), account()],
        threads: vec![
            thread(
                0,
                1,
                "bank.Account.transfer(Lbank/Account;J)V",
                &["bank.Account.transfer(Account.java:10)"],
            ),
            thread(
                1,
                0,
                "bank.Account.transfer(Lbank/Account;J)V",
                &["bank.Account.transfer(Account.java:10)"],
            ),
        ],
        containers: vec![],
        group: Group::TwoInstances,
        pruned: None,
        change: None,
    }
}

fn no_wait() -> Finding {
    let scope =
        Scope { assumptions: strings(&["native methods take no locks"]), ..Scope::default() };
    finding(
        "no-wait-under-second-lock",
        Subject::default(),
        Verdict::Holds(scope),
        "No thread waits while it holds a lock that its waker needs.",
    )
}

fn with_cycle(cycle: Cycle, finding: Finding) -> Finding {
    Finding { cycle: Some(Box::new(cycle)), ..finding }
}

fn lock(kind: LockKind, place: Place, name: &str, type_name: &str) -> Lock {
    Lock { kind, place, name: name.to_owned(), type_name: type_name.to_owned() }
}

fn thread(holds: usize, wants: usize, entry: &str, stack: &[&str]) -> Thread {
    Thread {
        entry: entry.to_owned(),
        holds,
        wants,
        stack: strings(stack),
        alternatives: Alternatives::default(),
    }
}
