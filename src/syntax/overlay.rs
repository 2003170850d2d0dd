//! C++ that tree-sitter-cpp can parse, of the same length: CUDA's words and chevrons become spaces. Offsets stay equal.

use super::lex::Kind;
use super::{launch, Source};
use std::ops::Range;
use std::sync::LazyLock;

/// The words of `grammars/cuda/words.txt`: the word, and whether a parenthesis follows that belongs to it.
static WORDS: LazyLock<Vec<(&str, bool)>> = LazyLock::new(|| {
    include_str!("../../grammars/cuda/words.txt")
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .map(|l| l.strip_suffix("()").map_or((l, false), |w| (w, true)))
        .collect()
});

/// Whether a word is one of those that CUDA adds to C++ declarations.
pub fn is_cuda_word(word: &str) -> bool {
    WORDS.iter().any(|w| w.0 == word)
}

/// The bytes of a range with what CUDA adds blanked out.
pub fn of(src: &Source, range: Range<usize>) -> Vec<u8> {
    let mut out = src.bytes[range.clone()].to_vec();
    let mut blank = |r: Range<usize>| {
        let (a, b) = (r.start.max(range.start), r.end.min(range.end));
        if a < b {
            for byte in &mut out[a - range.start..b - range.start] {
                if *byte != b'\n' && *byte != b'\r' {
                    *byte = b' ';
                }
            }
        }
    };
    for i in src.token_at(range.start)..src.token_at(range.end) {
        match src.tokens[i].kind {
            Kind::LaunchOpen => {
                if let Some(l) = launch::find_at(src, i) {
                    blank(src.span(l.open).start..src.span(l.close.end - 1).end);
                }
            }
            Kind::Ident => {
                let text = src.str(i);
                let Some(&(_, parens)) = WORDS.iter().find(|w| w.0 == text) else {
                    continue;
                };
                let mut end = src.span(i).end;
                if parens && src.tokens.get(i + 1).is_some_and(|t| t.is(b'(')) {
                    if let Some(p) = src.brackets.partner(i + 1) {
                        end = src.span(p).end;
                    }
                }
                blank(src.span(i).start..end);
            }
            _ => {}
        }
    }
    out
}
