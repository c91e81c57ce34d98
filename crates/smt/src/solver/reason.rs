//! Why there is no answer, in words for people and for counting.

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// There is no solver program, or it does not start.
    Missing(String),
    /// The process ended in the middle of the question.
    Died,
    /// The process was killed because it did not answer in time.
    Killed,
    /// The process said something that is not an answer.
    Nonsense(String),
    /// The resource limit was reached.
    ResourceOut,
    /// The process ran out of the memory it may use.
    OutOfMemory,
    /// The solver gave up, in its words.
    GaveUp(String),
    /// A model with values missing or unreadable.
    IncompleteModel,
    /// A model that does not satisfy the question under our own evaluation.
    WrongModel,
}

impl Reason {
    /// A fixed short name, for counting.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::Missing(_) => "missing",
            Reason::Died => "died",
            Reason::Killed => "killed",
            Reason::Nonsense(_) => "nonsense",
            Reason::ResourceOut => "resource-out",
            Reason::OutOfMemory => "out-of-memory",
            Reason::GaveUp(_) => "gave-up",
            Reason::IncompleteModel => "incomplete-model",
            Reason::WrongModel => "wrong-model",
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Missing(why) => f.write_str(why),
            Reason::Died => f.write_str("the solver ended in the middle of a question"),
            Reason::Killed => f.write_str("the solver did not answer in time and was killed"),
            Reason::Nonsense(text) => write!(f, "the solver said something unexpected: {text}"),
            Reason::ResourceOut => f.write_str("the solver reached its resource limit"),
            Reason::OutOfMemory => f.write_str("the solver ran out of memory"),
            Reason::GaveUp(text) => write!(f, "the solver gave up: {text}"),
            Reason::IncompleteModel => f.write_str("the solver's model could not be read"),
            Reason::WrongModel => f.write_str("the solver's model does not fit the question"),
        }
    }
}
