//! Applying suggested edits: each fix whole or not at all, and never one over another.

use crate::diagnostics::{Applicability, Fix};
use std::collections::BTreeMap;
use std::ops::Range;

/// What became of a text under fixes.
#[derive(Debug, PartialEq, Eq)]
pub struct Fixed {
    pub text: Vec<u8>,
    /// How many fixes went in. Those that touch bytes of an earlier one wait for the next run.
    pub applied: usize,
}

/// Applies the fixes that are at least as sure as `least`, in the order given. A fix whose edits meet those of an
/// earlier one, or do not fit the text, is left out whole.
pub fn apply<'a>(bytes: &[u8], fixes: impl IntoIterator<Item = &'a Fix>, least: Applicability) -> Fixed {
    let mut taken: BTreeMap<(usize, usize), &[u8]> = BTreeMap::new();
    let mut applied = 0;
    for fix in fixes {
        if fix.applicability > least || fix.edits.is_empty() || !fits(bytes.len(), fix) {
            continue;
        }
        let meets = |r: &Range<usize>| {
            // The neighbour that starts at or after, and the one before.
            let after = taken.range((r.start, 0)..).next();
            let before = taken.range(..(r.start, 0)).next_back();
            after.is_some_and(|((start, _), _)| *start < r.end || *start == r.start)
                || before.is_some_and(|((_, end), _)| *end > r.start)
        };
        if fix.edits.iter().any(|(r, _)| meets(r)) {
            continue;
        }
        taken.extend(fix.edits.iter().map(|(r, text)| ((r.start, r.end), text.as_slice())));
        applied += 1;
    }
    let mut text = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for ((start, end), new) in taken {
        text.extend_from_slice(&bytes[at..start]);
        text.extend_from_slice(new);
        at = end;
    }
    text.extend_from_slice(&bytes[at..]);
    Fixed { text, applied }
}

/// Whether a fix's edits lie in the text, in order and apart.
fn fits(len: usize, fix: &Fix) -> bool {
    let inside = fix.edits.iter().all(|(r, _)| r.start <= r.end && r.end <= len);
    inside
        && fix
            .edits
            .windows(2)
            .all(|w| w[0].0.end <= w[1].0.start && w[0].0 != w[1].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(applicability: Applicability, edits: &[(Range<usize>, &str)]) -> Fix {
        Fix {
            applicability,
            edits: edits.iter().map(|(r, t)| (r.clone(), t.as_bytes().to_vec())).collect(),
        }
    }

    #[test]
    fn whole_or_not_at_all() {
        let fixes = [
            fix(Applicability::Safe, &[(0..1, "A"), (4..5, "E")]),
            fix(Applicability::Safe, &[(2..3, "C"), (3..5, "clash")]),
            fix(Applicability::Unsafe, &[(1..2, "B")]),
            fix(Applicability::Manual, &[(2..3, "never")]),
            fix(Applicability::Safe, &[(5..6, ""), (9..12, "past the end")]),
        ];
        let safe = apply(b"abcdef", &fixes, Applicability::Safe);
        assert_eq!((safe.text.as_slice(), safe.applied), (&b"AbcdEf"[..], 1));
        let all = apply(b"abcdef", &fixes, Applicability::Unsafe);
        assert_eq!((all.text.as_slice(), all.applied), (&b"ABcdEf"[..], 2));
    }

    #[test]
    fn insertions_at_one_place_do_not_pile_up() {
        let fixes = [
            fix(Applicability::Safe, &[(1..1, "x")]),
            fix(Applicability::Safe, &[(1..1, "y")]),
            fix(Applicability::Safe, &[(0..1, "z")]),
        ];
        let done = apply(b"ab", &fixes, Applicability::Safe);
        assert_eq!((done.text.as_slice(), done.applied), (&b"zxb"[..], 2));
    }
}
