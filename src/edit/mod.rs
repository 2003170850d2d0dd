//! Edits as a tree: an edit replaces a byte range by pieces, and a piece may be a range of the input in which other
//! edits live on. So a rewritten call keeps the renames inside its arguments, and no pass needs to know of another.

use std::cmp::Reverse;
use std::ops::Range;

/// A part of a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(Vec<u8>),
    /// Bytes of the input, with the edits that lie within them.
    Source(Range<usize>),
}

/// Replaces `range` of the input by `pieces`. An empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: Range<usize>,
    pub pieces: Vec<Piece>,
}

impl Edit {
    pub fn replace(range: Range<usize>, text: impl Into<Vec<u8>>) -> Edit {
        Edit {
            range,
            pieces: vec![Piece::Text(text.into())],
        }
    }

    pub fn insert(at: usize, text: impl Into<Vec<u8>>) -> Edit {
        Edit::replace(at..at, text)
    }
}

/// Two edits that overlap without one enclosing the other: a fault of the passes, never of the input.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("edits of bytes {0:?} and {1:?} overlap")]
pub struct Overlap(pub Range<usize>, pub Range<usize>);

/// Applies edits to a file. An edit inside another lives on where that one keeps its bytes as a
/// [`Piece::Source`], and is superseded elsewhere. Two edits of the very same range: the first one given wins.
pub fn apply(bytes: &[u8], mut edits: Vec<Edit>) -> Result<Vec<u8>, Overlap> {
    // Outer before inner; insertions at a place come before a replacement that starts there.
    edits.sort_by_key(|e| (e.range.start, !e.range.is_empty(), Reverse(e.range.end)));
    edits.dedup_by(|b, a| !a.range.is_empty() && a.range == b.range);
    check(&edits)?;
    let mut out = Vec::with_capacity(bytes.len() + edits.len() * 8);
    render(bytes, 0..bytes.len(), &edits, &mut out);
    Ok(out)
}

fn check(edits: &[Edit]) -> Result<(), Overlap> {
    let mut open: Vec<&Range<usize>> = Vec::new();
    for e in edits {
        while open.last().is_some_and(|o| o.end <= e.range.start) {
            open.pop();
        }
        if let Some(o) = open.last() {
            if e.range.end > o.end {
                return Err(Overlap((*o).clone(), e.range.clone()));
            }
        }
        if !e.range.is_empty() {
            open.push(&e.range);
        }
    }
    Ok(())
}

/// Writes `range` with the edits that lie wholly inside it. `edits` are sorted and hold no partial overlap.
fn render(bytes: &[u8], range: Range<usize>, edits: &[Edit], out: &mut Vec<u8>) {
    let mut at = range.start;
    let mut i = edits.partition_point(|e| e.range.start < range.start);
    while i < edits.len() && edits[i].range.start <= range.end {
        let e = &edits[i];
        i += 1;
        // What starts before `at` was inside an edit already written.
        let inside = e.range.start >= at && e.range.end <= range.end;
        // An insertion at the end of a piece belongs to what follows, except at the end of the file.
        let at_end = e.range.is_empty() && e.range.start == range.end && range.end != bytes.len();
        if !inside || at_end {
            continue;
        }
        out.extend_from_slice(&bytes[at..e.range.start]);
        let inner_start = i;
        let inner_end = edits.partition_point(|f| f.range.start < e.range.end).max(inner_start);
        for p in &e.pieces {
            match p {
                Piece::Text(t) => out.extend_from_slice(t),
                Piece::Source(r) => render(bytes, r.clone(), &edits[inner_start..inner_end], out),
            }
        }
        at = e.range.end;
        if !e.range.is_empty() {
            i = inner_end;
        }
    }
    out.extend_from_slice(&bytes[at..range.end]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, edits: Vec<Edit>) -> String {
        String::from_utf8(apply(text.as_bytes(), edits).unwrap()).unwrap()
    }

    #[test]
    fn a_rewrite_keeps_the_renames_in_its_arguments() {
        let rewrite = Edit {
            range: 0..7,
            pieces: vec![
                Piece::Text(b"g(".to_vec()),
                Piece::Source(4..6),
                Piece::Text(b", ".to_vec()),
                Piece::Source(2..3),
                Piece::Text(b")".to_vec()),
            ],
        };
        let renames = vec![
            Edit::replace(2..3, "xx"),
            Edit::replace(4..6, "Y"),
            Edit::replace(0..1, "lost"),
        ];
        let mut all = renames;
        all.push(rewrite);
        assert_eq!(applied("f(a,bc);", all), "g(Y, xx);");
    }

    #[test]
    fn insertions_come_before_a_replacement_at_the_same_place() {
        assert_eq!(
            applied("ab", vec![Edit::replace(0..1, "X"), Edit::insert(0, "+")]),
            "+Xb"
        );
        assert_eq!(applied("ab", vec![Edit::insert(2, "!")]), "ab!");
    }

    #[test]
    fn partial_overlap_is_a_fault() {
        let two = vec![Edit::replace(0..2, ""), Edit::replace(1..3, "")];
        assert_eq!(apply(b"abc", two), Err(Overlap(0..2, 1..3)));
    }
}
