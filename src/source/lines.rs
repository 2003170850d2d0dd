//! Lines of a byte text. Lines end at LF; the CR of a CRLF belongs to no line's text. Columns count bytes.

use std::ops::Range;

/// Where the lines of one text begin.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
    len: usize,
}

impl LineIndex {
    /// Scans a text once.
    pub fn new(bytes: &[u8]) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', bytes).map(|i| i + 1));
        LineIndex {
            starts,
            len: bytes.len(),
        }
    }

    /// 0-based line and column, in bytes, of an offset; an offset past the end counts as the end.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.len);
        let line = self.starts.partition_point(|&s| s <= offset) - 1;
        (line, offset - self.starts[line])
    }

    /// The bytes of a 0-based line without its end; empty past the last line.
    pub fn range(&self, line: usize, bytes: &[u8]) -> Range<usize> {
        let Some(&start) = self.starts.get(line) else {
            return self.len..self.len;
        };
        let mut end = match self.starts.get(line + 1) {
            Some(next) => next - 1,
            None => self.len,
        };
        if end > start && bytes.get(end - 1) == Some(&b'\r') {
            end -= 1;
        }
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_ranges() {
        let text = b"ab\r\n\ncd";
        let index = LineIndex::new(text);
        assert_eq!(index.position(0), (0, 0));
        assert_eq!(index.position(3), (0, 3));
        assert_eq!(index.position(4), (1, 0));
        assert_eq!(index.position(6), (2, 1));
        assert_eq!(index.position(99), (2, 2));
        assert_eq!(index.range(0, text), 0..2);
        assert_eq!(index.range(1, text), 4..4);
        assert_eq!(index.range(2, text), 5..7);
        assert_eq!(index.range(7, text), 7..7);
    }

    #[test]
    fn empty_text() {
        let index = LineIndex::new(b"");
        assert_eq!(index.position(0), (0, 0));
        assert_eq!(index.range(0, b""), 0..0);
    }
}
