//! A child process and its two pipes.
//!
//! Reading and writing have a thread each, so that a child that neither reads nor writes blocks
//! nobody. Knows nothing of SMT-LIB but the `echo` that marks the end of an answer.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Answers longer than this are not answers.
const LONGEST_ANSWER: usize = 64 << 20;

/// Why an exchange failed. The process is of no use any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// It ended, after these last words: they may say why, but they answer nothing.
    Died(String),
    Hung,
    Flooded,
}

pub(super) struct Process {
    child: Child,
    requests: Sender<String>,
    lines: Receiver<Vec<u8>>,
    exchanges: u64,
}

impl Process {
    pub(super) fn start(program: &Path, arguments: &[String]) -> std::io::Result<Process> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (requests, outgoing) = channel::<String>();
        let (incoming, lines) = channel();
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                for request in outgoing {
                    if stdin.write_all(request.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || {
                let mut reader = BufReader::new(stdout);
                let mut line = Vec::new();
                while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                    if incoming.send(std::mem::take(&mut line)).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Process { child, requests, lines, exchanges: 0 })
    }

    /// Sends commands; what is printed in answer to them.
    pub(super) fn exchange(&mut self, commands: &str, limit: Duration) -> Result<String, Fault> {
        self.exchanges += 1;
        let mark = format!("answered-{}", self.exchanges);
        let request = format!("{commands}(echo \"{mark}\")\n");
        self.requests.send(request).map_err(|_| Fault::Died(String::new()))?;
        let deadline = Instant::now() + limit;
        let mut answer = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => Fault::Hung,
                RecvTimeoutError::Disconnected => {
                    Fault::Died(String::from_utf8_lossy(&answer).into_owned())
                }
            })?;
            let text = line.trim_ascii();
            if text == mark.as_bytes() || text.strip_prefix(b"\"") == Some(quoted(&mark).as_bytes())
            {
                break;
            }
            answer.extend_from_slice(&line);
            if answer.len() > LONGEST_ANSWER {
                return Err(Fault::Flooded);
            }
        }
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

fn quoted(mark: &str) -> String {
    format!("{mark}\"")
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only if the child is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
