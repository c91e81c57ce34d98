//! Places in SARIF: a class file tells the package and the bare name of its source, not the directory
//! in which sources are kept, so files are relative to a root that the reader has to supply.

use std::collections::BTreeMap;

use checks::cycle::Thread;
use checks::{Cycle, Subject};

use super::model::{
    ArtifactLocation, CodeFlow, Location, LogicalLocation, Message, PhysicalLocation, Region,
    ThreadFlow, ThreadFlowLocation, UriBase,
};
use crate::render::{place, sanitize};

const SOURCE_ROOT: &str = "SOURCEROOT";

pub(super) fn source_root() -> BTreeMap<&'static str, UriBase> {
    let description = Message::text("The directory in which the Java sources are kept by package.");
    BTreeMap::from([(SOURCE_ROOT, UriBase { description })])
}

pub(super) fn location(subject: &Subject) -> Location {
    let class = subject.class.as_deref();
    let file = class.zip(subject.file.as_deref());
    Location {
        physical_location: file.map(|(class, file)| physical_location(class, file, subject.line)),
        logical_locations: class
            .map(|class| logical_location(class, subject))
            .into_iter()
            .collect(),
        message: None,
    }
}

fn logical_location(class: &str, subject: &Subject) -> LogicalLocation {
    let (name, full, kind) = match &subject.method {
        Some(method) => (method.clone(), format!("{class}.{method}"), "function"),
        None => (class.rsplit('.').next().unwrap_or(class).to_owned(), class.to_owned(), "type"),
    };
    LogicalLocation {
        name: sanitize::line(&name).into_owned(),
        fully_qualified_name: sanitize::line(&full).into_owned(),
        kind,
    }
}

fn physical_location(class: &str, file: &str, line: Option<u32>) -> PhysicalLocation {
    let package =
        class.rsplit_once('.').map(|(package, _)| package.split('.')).into_iter().flatten();
    let segments: Vec<_> = package.chain([file]).map(uri_segment).collect();
    PhysicalLocation {
        artifact_location: ArtifactLocation { uri: segments.join("/"), uri_base_id: SOURCE_ROOT },
        region: line.filter(|&line| line > 0).map(|start_line| Region { start_line }),
    }
}

/// Percent-encoded, so that a name cannot climb out of the root or carry anything else in.
fn uri_segment(segment: &str) -> String {
    if matches!(segment, "." | "..") {
        return segment.replace('.', "%2E");
    }
    let mut encoded = String::new();
    for byte in segment.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'$' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// The call stacks of a deadlock, one thread each; `None` if none is known.
pub(super) fn code_flow(cycle: &Cycle) -> Option<CodeFlow> {
    let flows = cycle.threads.iter().enumerate().filter(|(_, thread)| !thread.stack.is_empty());
    let thread_flows: Vec<_> = flows.map(|(n, thread)| thread_flow(n, thread, cycle)).collect();
    (!thread_flows.is_empty()).then_some(CodeFlow { thread_flows })
}

fn thread_flow(n: usize, thread: &Thread, cycle: &Cycle) -> ThreadFlow {
    let name = |at: usize| cycle.locks.get(at).map_or("a lock", |lock| lock.name.as_str());
    let message = format!("holds {}, wants {}", name(thread.holds), name(thread.wants));
    ThreadFlow {
        id: format!("thread {}", n + 1),
        message: Message::text(sanitize::line(&message)),
        locations: thread
            .stack
            .iter()
            .map(|frame| ThreadFlowLocation { location: at_frame(frame) })
            .collect(),
    }
}

fn at_frame(frame: &str) -> Location {
    Location {
        physical_location: place::parse_frame(frame)
            .map(|frame| physical_location(frame.class, frame.file, Some(frame.line))),
        logical_locations: Vec::new(),
        message: Some(Message::text(sanitize::line(frame))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_found_by_package() {
        let uri = |class, file| physical_location(class, file, None).artifact_location.uri;
        assert_eq!(uri("p.q.C$D", "C.java"), "p/q/C.java");
        assert_eq!(uri("C", "C.java"), "C.java");
    }

    #[test]
    fn a_name_cannot_climb_out_of_the_root() {
        let uri = |class, file| physical_location(class, file, None).artifact_location.uri;
        assert_eq!(uri("p.C", "../../etc/passwd"), "p/..%2F..%2Fetc%2Fpasswd");
        assert_eq!(uri("p.C", ".."), "p/%2E%2E");
        assert_eq!(uri("http://x.C", "a?b#\u{202e}"), "http%3A%2F%2Fx/a%3Fb%23%E2%80%AE");
    }
}
