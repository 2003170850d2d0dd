//! Trees of regions, parsed when a pass asks: is this identifier declared here, and does the region parse at all?

use super::{overlay, Source};
use std::cell::RefCell;
use std::ops::Range;
use tree_sitter::{Node, Parser, Tree};

/// Regions larger than this are not parsed: a generated table of megabytes has nothing to tell.
const LARGEST: usize = 512 * 1024;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = RefCell::new(new_parser());
}

fn new_parser() -> Option<Parser> {
    let mut p = Parser::new();
    p.set_language(&tree_sitter_cpp::LANGUAGE.into()).ok()?;
    Some(p)
}

/// A parsed part of a file.
pub struct Region {
    tree: Tree,
    start: usize,
}

/// Where a name is declared, and the bytes in which that declaration is what the name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declared {
    Member(Range<usize>),
    Local(Range<usize>),
    /// At file scope or in a namespace.
    Namespace,
}

impl Region {
    /// Parses a range of bytes; `None` for one that is too large.
    pub fn parse(src: &Source, range: Range<usize>) -> Option<Region> {
        if range.len() > LARGEST {
            return None;
        }
        let text = overlay::of(src, range.clone());
        let tree = PARSER.with_borrow_mut(|p| p.as_mut()?.parse(&text, None))?;
        Some(Region {
            tree,
            start: range.start,
        })
    }

    /// The first place in the region that does not parse.
    pub fn damage(&self) -> Option<Range<usize>> {
        let root = self.tree.root_node();
        if !root.has_error() {
            return None;
        }
        let mut node = root;
        while let Some(child) = (0..node.child_count())
            .filter_map(|i| node.child(i))
            .find(|c| c.has_error())
        {
            node = child;
            if node.is_error() || node.is_missing() {
                break;
            }
        }
        Some(self.bytes(node))
    }

    /// If the identifier at these bytes is the name that a declarator introduces: what sort of declaration.
    pub fn declared(&self, name: Range<usize>) -> Option<Declared> {
        let (a, b) = (name.start.checked_sub(self.start)?, name.end.checked_sub(self.start)?);
        let mut node = self.tree.root_node().descendant_for_byte_range(a, b)?;
        if node.start_byte() != a || node.end_byte() != b {
            return None;
        }
        loop {
            let parent = node.parent()?;
            let is_name = |field| parent.child_by_field_name(field).is_some_and(|c| c.id() == node.id());
            match parent.kind() {
                "function_declarator" | "init_declarator" | "array_declarator" | "pointer_declarator"
                    if is_name("declarator") => {}
                "reference_declarator" | "parenthesized_declarator" => {}
                "declaration"
                | "field_declaration"
                | "function_definition"
                | "parameter_declaration"
                | "optional_parameter_declaration"
                | "for_range_loop"
                | "type_definition"
                    if has_declarator(parent, node) =>
                {
                    return Some(self.scope_of(parent))
                }
                "alias_declaration" if is_name("name") => return Some(self.scope_of(parent)),
                "struct_specifier" | "class_specifier" | "enum_specifier" | "union_specifier"
                    if is_name("name") && parent.child_by_field_name("body").is_some() =>
                {
                    return Some(self.scope_of(parent))
                }
                "enumerator" if is_name("name") => return Some(self.scope_of(parent)),
                _ => return None,
            }
            node = parent;
        }
    }

    fn scope_of(&self, declaration: Node) -> Declared {
        let mut node = declaration;
        while let Some(parent) = node.parent() {
            match parent.kind() {
                "field_declaration_list" => return Declared::Member(self.bytes(parent)),
                "compound_statement" | "for_statement" | "for_range_loop" | "lambda_expression" => {
                    return Declared::Local(self.bytes(parent))
                }
                "function_definition" if declaration.kind().contains("parameter") => {
                    return Declared::Local(self.bytes(parent))
                }
                _ => node = parent,
            }
        }
        Declared::Namespace
    }

    fn bytes(&self, node: Node) -> Range<usize> {
        self.start + node.start_byte()..self.start + node.end_byte()
    }
}

fn has_declarator(parent: Node, child: Node) -> bool {
    let mut cursor = parent.walk();
    let found = parent
        .children_by_field_name("declarator", &mut cursor)
        .any(|c| c.id() == child.id());
    found
}
