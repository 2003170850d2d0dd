//! CUDA C++ as tokens: lexing, preprocessor structure, launches, and (lazily) trees of regions.
//!
//! Everything here works on bytes of any encoding and never fails; offsets are bytes of the input.

pub mod args;
pub mod body;
pub mod brackets;
pub mod condition;
pub mod directive;
pub mod expr;
pub mod function;
pub mod guard;
pub mod launch;
pub mod lex;
pub mod overlay;
pub mod space;
pub mod tree;

use brackets::Brackets;
use directive::{Directive, DirectiveKind};
use lex::{Lexed, Token};
use std::ops::Range;

/// A lexed file with its preprocessor lines and matched brackets.
pub struct Source<'a> {
    pub bytes: &'a [u8],
    /// Tokens without white space and comments, in order; those of directives included.
    pub tokens: Vec<Token>,
    pub comments: Vec<Range<u32>>,
    pub directives: Vec<Directive>,
    pub brackets: Brackets,
}

impl<'a> Source<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let Lexed {
            tokens,
            comments,
            directive_spans,
        } = lex::lex(bytes);
        let directives = directive::parse(bytes, &tokens, &directive_spans);
        let brackets = Brackets::of(&tokens, &directives);
        Source {
            bytes,
            tokens,
            comments,
            directives,
            brackets,
        }
    }

    /// The bytes of a token.
    pub fn text(&self, token: usize) -> &'a [u8] {
        let t = &self.tokens[token];
        &self.bytes[t.start as usize..t.end as usize]
    }

    /// The bytes of a token as text; empty where they are not UTF-8 (no CUDA name is).
    pub fn str(&self, token: usize) -> &'a str {
        std::str::from_utf8(self.text(token)).unwrap_or("")
    }

    /// The byte range of a token.
    pub fn span(&self, token: usize) -> Range<usize> {
        self.tokens[token].range()
    }

    /// The byte range from the first to the last token of a token range; empty ranges have no span.
    pub fn span_of(&self, tokens: &Range<usize>) -> Option<Range<usize>> {
        if tokens.is_empty() {
            return None;
        }
        Some(self.tokens[tokens.start].start as usize..self.tokens[tokens.end - 1].end as usize)
    }

    /// The token before, unless a preprocessor line begins or ends between the two.
    pub fn before(&self, token: usize) -> Option<usize> {
        let p = token.checked_sub(1)?;
        (self.tokens[p].in_directive == self.tokens[token].in_directive).then_some(p)
    }

    /// The directive that a token belongs to.
    pub fn directive_of(&self, token: usize) -> Option<&Directive> {
        if !self.tokens[token].in_directive {
            return None;
        }
        let i = self.directives.partition_point(|d| d.tokens.end <= token);
        self.directives.get(i).filter(|d| d.tokens.contains(&token))
    }

    /// Whether a token stands in a preprocessor line other than the body of a `#define`.
    pub fn is_directive_head(&self, token: usize) -> bool {
        match self.directive_of(token) {
            None => false,
            Some(d) => d.kind != DirectiveKind::Define || !d.body.contains(&token),
        }
    }

    /// The index of the first token that starts at or after a byte offset.
    pub fn token_at(&self, offset: usize) -> usize {
        self.tokens.partition_point(|t| (t.start as usize) < offset)
    }
}
