//! The arena of terms.
//!
//! Append-only: a term, once made, means the same until the arena is dropped, and its arguments have
//! smaller ids. Equal nodes are one node. One arena serves one subject; ids of different arenas must
//! not meet (there is no check). The constructors live in `build`.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::op::Op;
use crate::sort::{ArraySort, Function, Sort, SortId, Symbol};

/// A node of an arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) sort: Sort,
    start: u32,
    len: u32,
}

/// A node in the hash table, with its hash so that growing the table does not read the nodes.
#[derive(Clone, Copy)]
struct Entry {
    id: u32,
    hash: u32,
}

struct SymbolDeclaration {
    name: Box<str>,
    sort: Sort,
    term: Term,
}

struct FunctionDeclaration {
    name: Box<str>,
    parameters: Box<[Sort]>,
    result: Sort,
}

/// Hash-consed terms, simplified as they are built.
#[derive(Default)]
pub struct Terms {
    nodes: Vec<Node>,
    args: Vec<Term>,
    table: HashTable<Entry>,
    symbols: Vec<SymbolDeclaration>,
    functions: Vec<FunctionDeclaration>,
    sorts: Vec<Box<str>>,
    arrays: Vec<(Sort, Sort)>,
    /// What simplifying has cost so far, in arguments looked at.
    pub(crate) work: u64,
}

impl Terms {
    pub fn new() -> Terms {
        Terms::default()
    }

    /// The number of nodes made so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What building has cost so far: a count that grows with time spent, for budgets.
    pub fn work(&self) -> u64 {
        self.work + self.nodes.len() as u64
    }

    /// Counts steps that somebody else made over these terms, say in a walk.
    pub fn count_work(&mut self, steps: usize) {
        self.work += steps as u64;
    }

    /// A new symbol. Names are for people: two symbols of one name are two symbols.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term {
        let symbol = Symbol(self.symbols.len() as u32);
        let term = self.intern(Op::Symbol(symbol), sort, &[]);
        self.symbols.push(SymbolDeclaration { name: name.into(), sort, term });
        term
    }

    pub fn declare_sort(&mut self, name: &str) -> Sort {
        let id = SortId(u16::try_from(self.sorts.len()).expect("fewer than 65,536 sorts"));
        self.sorts.push(name.into());
        Sort::Uninterpreted(id)
    }

    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        let at =
            self.arrays.iter().position(|&pair| pair == (index, element)).unwrap_or_else(|| {
                self.arrays.push((index, element));
                self.arrays.len() - 1
            });
        Sort::Array(ArraySort(u16::try_from(at).expect("fewer than 65,536 array sorts")))
    }

    pub fn declare_function(&mut self, name: &str, parameters: &[Sort], result: Sort) -> Function {
        let function = Function(self.functions.len() as u32);
        assert!(!parameters.is_empty(), "a function without parameters is a symbol");
        let parameters = parameters.into();
        self.functions.push(FunctionDeclaration { name: name.into(), parameters, result });
        function
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }

    pub fn args(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.index()];
        &self.args[node.start as usize..(node.start + node.len) as usize]
    }

    pub(crate) fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// Index and element sort of an array sort.
    pub fn array_parts(&self, sort: Sort) -> (Sort, Sort) {
        match sort {
            Sort::Array(array) => self.arrays[usize::from(array.0)],
            Sort::Bool
            | Sort::BitVec(_)
            | Sort::Float32
            | Sort::Float64
            | Sort::Uninterpreted(_) => panic!("an array sort was expected, not {sort:?}"),
        }
    }

    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.index()].name
    }

    pub fn symbol_sort(&self, symbol: Symbol) -> Sort {
        self.symbols[symbol.index()].sort
    }

    pub fn symbol_term(&self, symbol: Symbol) -> Term {
        self.symbols[symbol.index()].term
    }

    pub fn function_name(&self, function: Function) -> &str {
        &self.functions[function.index()].name
    }

    pub fn function_parameters(&self, function: Function) -> &[Sort] {
        &self.functions[function.index()].parameters
    }

    pub fn function_result(&self, function: Function) -> Sort {
        self.functions[function.index()].result
    }

    pub fn sort_name(&self, sort: SortId) -> &str {
        &self.sorts[sort.index()]
    }

    /// The symbol that a term is, if it is one.
    pub fn as_symbol(&self, term: Term) -> Option<Symbol> {
        if let Op::Symbol(symbol) = self.op(term) { Some(symbol) } else { None }
    }

    /// The value of a constant, as its word: see [`Op::Const`].
    pub fn as_const(&self, term: Term) -> Option<u64> {
        if let Op::Const(word) = self.op(term) { Some(word) } else { None }
    }

    pub fn is_true(&self, term: Term) -> bool {
        self.sort(term) == Sort::Bool && self.as_const(term) == Some(1)
    }

    pub fn is_false(&self, term: Term) -> bool {
        self.sort(term) == Sort::Bool && self.as_const(term) == Some(0)
    }

    pub(crate) fn word(&mut self, word: u64, sort: Sort) -> Term {
        self.intern(Op::Const(word), sort, &[])
    }

    /// A node exactly as written, without simplification or checks. For tests, which compare it with
    /// what the constructors make.
    #[doc(hidden)]
    pub fn raw(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        self.intern(op, sort, args)
    }

    pub(crate) fn intern(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        let hash = hash_node(op, sort, args);
        let (nodes, pool) = (&self.nodes, &self.args);
        let same = |entry: &Entry| {
            let node = &nodes[entry.id as usize];
            let range = node.start as usize..(node.start + node.len) as usize;
            entry.hash == hash && node.op == op && node.sort == sort && pool[range] == *args
        };
        if let Some(entry) = self.table.find(spread(hash), same) {
            return Term(entry.id);
        }
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms");
        let start = u32::try_from(self.args.len()).expect("fewer than 2^32 arguments");
        self.args.extend_from_slice(args);
        self.nodes.push(Node { op, sort, start, len: args.len() as u32 });
        self.table.insert_unique(spread(hash), Entry { id, hash }, |entry| spread(entry.hash));
        Term(id)
    }
}

fn hash_node(op: Op, sort: Sort, args: &[Term]) -> u32 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    sort.hash(&mut hasher);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

/// The table takes its tag from the high bits and its slot from the low ones.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
