//! A deadlock for people: who holds what and wants what, how they got there, where they meet.

use checks::Cycle;
use checks::cycle::{Change, Lock, LockKind, NOT_SHOWN, Thread};

use crate::render::page::{Ink, Page};
use crate::render::{place, words};

pub(super) fn render_cycle(page: &mut Page, cycle: &Cycle) {
    if let Some(reason) = &cycle.pruned {
        let is_excluded = !reason.starts_with(NOT_SHOWN);
        let why = if is_excluded { format!("cannot happen: {reason}") } else { reason.clone() };
        page.paragraph(2, 2, Ink::Plain, &why);
    }
    if let Some(change @ (Change::New | Change::Unchanged)) = cycle.change {
        page.paragraph(
            2,
            2,
            Ink::Plain,
            &format!("{} since the older release", words::change(change)),
        );
    }
    render_drawing(page, cycle);
    page.gap();
    for (n, thread) in cycle.threads.iter().enumerate() {
        render_thread(page, n, thread, &cycle.locks);
    }
    if !cycle.containers.is_empty() {
        page.gap();
        page.paragraph(
            2,
            2,
            Ink::Plain,
            &format!("the objects meet in {}", cycle.containers.join(", ")),
        );
    }
}

/// A ring, for three and more locks: two are said faster than drawn.
fn render_drawing(page: &mut Page, cycle: &Cycle) {
    let n_locks = cycle.locks.len();
    if n_locks < 3 || !is_ring(cycle) {
        return;
    }
    page.gap();
    for (n, lock) in cycle.locks.iter().enumerate() {
        let (first, thread) = (n == 0, format!("│ thread {}", n + 1));
        page.line(
            4,
            &[(Ink::Faint, if first { "┌─> " } else { "│   " }), (Ink::Strong, &lock_name(lock))],
        );
        page.line(4, &[(Ink::Faint, "│     "), (Ink::Faint, &thread)]);
        let closed = n + 1 == n_locks;
        page.line(4, &[(Ink::Faint, if closed { "└─────┘" } else { "│     v" })]);
    }
}

fn is_ring(cycle: &Cycle) -> bool {
    let n_locks = cycle.locks.len();
    cycle.threads.len() == n_locks
        && cycle
            .threads
            .iter()
            .enumerate()
            .all(|(n, it)| it.holds == n && it.wants == (n + 1) % n_locks)
}

fn render_thread(page: &mut Page, n: usize, thread: &Thread, locks: &[Lock]) {
    let name = |at: usize| locks.get(at).map_or_else(|| "a lock".to_owned(), lock_name);
    let (holds, wants) = (name(thread.holds), name(thread.wants));
    let title = format!("thread {}", n + 1);
    page.line(2, &[(Ink::Strong, &title), (Ink::Plain, " holds "), (Ink::Plain, &holds)]);
    page.line(
        2,
        &[(Ink::Plain, &" ".repeat(title.len())), (Ink::Plain, " wants "), (Ink::Plain, &wants)],
    );
    if thread.stack.is_empty() {
        page.line(6, &[(Ink::Plain, &place::readable_method(&thread.entry))]);
    }
    for frame in &thread.stack {
        page.line(6, &[(Ink::Plain, frame)]);
    }
    match thread.alternatives.count {
        0 => {}
        1 => page.line(6, &[(Ink::Faint, "or in 1 other way")]),
        count => page.line(6, &[(Ink::Faint, &format!("or in {count} other ways"))]),
    }
}

fn lock_name(lock: &Lock) -> String {
    match lock.kind {
        LockKind::Monitor | LockKind::Juc => lock.name.clone(),
        LockKind::JucRead => format!("{} (read lock)", lock.name),
        LockKind::JucWrite => format!("{} (write lock)", lock.name),
        LockKind::ClassInit => format!("{} (class initialisation)", lock.name),
    }
}
