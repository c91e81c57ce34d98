//! Files and functions that fit into a head.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::report;
use crate::sources::{crates, is_test_only, sources_of};

const MAX_FILE_LINES: usize = 600;
const MAX_FUNCTION_LINES: usize = 60;
/// What may stand around the match in a body that is "one match".
const MAX_LINES_AROUND_MATCH: usize = 12;

#[test]
fn files_are_short() {
    let mut complaints = Vec::new();
    for source in crates().iter().flat_map(|name| sources_of(name)) {
        let n_lines = source.lines_without_tests().len();
        if n_lines > MAX_FILE_LINES {
            complaints.push(format!("{}: {n_lines} lines without tests", source.path));
        }
    }
    report("files of more than 600 lines", &complaints);
}

#[test]
fn functions_are_short() {
    let mut complaints = Vec::new();
    for source in crates().iter().flat_map(|name| sources_of(name)) {
        let mut functions = LongFunctions { path: &source.path, found: Vec::new() };
        functions.visit_file(&source.syntax);
        complaints.extend(functions.found);
    }
    report("functions of more than 60 lines that are not one match", &complaints);
}

struct LongFunctions<'a> {
    path: &'a str,
    found: Vec<String>,
}

impl LongFunctions<'_> {
    fn judge(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let first = signature.fn_token.span.start().line;
        let (open, close) = (block.brace_token.span.open(), block.brace_token.span.close());
        let n_lines = close.end().line + 1 - first;
        let n_around = close.end().line + 1 - open.start().line - longest_match(block);
        if n_lines > MAX_FUNCTION_LINES && n_around > MAX_LINES_AROUND_MATCH {
            self.found
                .push(format!("{}:{first}: {} has {n_lines} lines", self.path, signature.ident));
        }
    }
}

impl<'ast> Visit<'ast> for LongFunctions<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test_only(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.judge(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.judge(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.judge(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// The lines of the longest match among the statements of a body, not of what is nested in them.
fn longest_match(block: &syn::Block) -> usize {
    let lines = block.stmts.iter().map(|statement| match statement {
        syn::Stmt::Expr(expression, _) => match_lines(expression),
        syn::Stmt::Local(local) => local.init.as_ref().map_or(0, |init| match_lines(&init.expr)),
        _ => 0,
    });
    lines.max().unwrap_or(0)
}

fn match_lines(expression: &syn::Expr) -> usize {
    let lines = |span: Span| span.end().line + 1 - span.start().line;
    match expression {
        syn::Expr::Match(_) | syn::Expr::Macro(_) => lines(expression.span()),
        syn::Expr::Return(syn::ExprReturn { expr: Some(inner), .. }) => match_lines(inner),
        syn::Expr::Try(syn::ExprTry { expr: inner, .. }) => match_lines(inner),
        syn::Expr::Assign(syn::ExprAssign { right: inner, .. }) => match_lines(inner),
        syn::Expr::Call(call) => call.args.iter().map(match_lines).max().unwrap_or(0),
        syn::Expr::Loop(syn::ExprLoop { body, .. })
        | syn::Expr::ForLoop(syn::ExprForLoop { body, .. }) => longest_match(body),
        _ => 0,
    }
}
