//! A lossless lexer for C++ with CUDA: tokens carry byte ranges; what lies between them is white space or comments.
//!
//! Knows raw strings, line splices, digit separators, directive lines and `<<<`. It does not decide what a `>` closes:
//! that is [`super::launch`]'s and [`super::args`]' work.

use std::ops::Range;

/// What a token is. Punctuation that passes ask for has a kind of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Ident,
    Number,
    /// A string literal with its prefix.
    Str,
    /// `R"x(...)x"` with its prefix.
    RawStr,
    Char,
    /// One byte of punctuation.
    Punct(u8),
    /// `::`
    Scope,
    /// `->`
    Arrow,
    /// `##`
    Paste,
    /// `<<<`
    LaunchOpen,
    /// Any other operator of two or three bytes.
    Op,
    /// `<header>` after `#include`.
    HeaderName,
}

/// A token: `bytes[start..end]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub start: u32,
    pub end: u32,
    pub kind: Kind,
    /// Part of a preprocessor line, its `#` included.
    pub in_directive: bool,
}

impl Token {
    pub fn is(&self, punct: u8) -> bool {
        self.kind == Kind::Punct(punct)
    }

    pub fn is_ident(&self) -> bool {
        self.kind == Kind::Ident
    }

    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The outcome of [`lex`].
pub struct Lexed {
    pub tokens: Vec<Token>,
    pub comments: Vec<Range<u32>>,
    /// Tokens and bytes of each preprocessor line, from its `#` to before its line end.
    pub directive_spans: Vec<(Range<usize>, Range<u32>)>,
}

const IDENT: u8 = 1;
const DIGIT: u8 = 2;
const SPACE: u8 = 4;

/// Byte classes; bytes from 0x80 count as parts of identifiers, whatever the encoding.
static CLASS: [u8; 256] = {
    let mut t = [0u8; 256];
    let mut i = 0;
    while i < 256 {
        let b = i as u8;
        if b.is_ascii_alphabetic() || b == b'_' || b == b'$' || b >= 0x80 {
            t[i] = IDENT;
        } else if b.is_ascii_digit() {
            t[i] = DIGIT;
        } else if b == b' ' || b == b'\t' || b == b'\r' || b == 0x0b || b == 0x0c {
            t[i] = SPACE;
        }
        i += 1;
    }
    t
};

/// Lexes a file. Input beyond 4 GiB is not read: offsets are 32 bits.
pub fn lex(bytes: &[u8]) -> Lexed {
    let bytes = &bytes[..bytes.len().min(u32::MAX as usize - 1)];
    let mut l = Lexer {
        bytes,
        at: 0,
        out: Lexed {
            tokens: Vec::with_capacity(bytes.len() / 6),
            comments: Vec::new(),
            directive_spans: Vec::new(),
        },
        line_start: true,
        directive: None,
    };
    if bytes.starts_with(b"\xef\xbb\xbf") {
        l.at = 3;
    }
    l.run();
    l.out
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    out: Lexed,
    /// Only white space and comments so far on this line.
    line_start: bool,
    /// First token and byte of the directive being read.
    directive: Option<(usize, usize)>,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        while self.at < self.bytes.len() {
            let b = self.bytes[self.at];
            let class = CLASS[b as usize];
            if class & SPACE != 0 {
                self.at += 1;
            } else if class & IDENT != 0 {
                self.ident();
            } else if class & DIGIT != 0 || (b == b'.' && self.peek(1).is_ascii_digit()) {
                self.number();
            } else {
                self.other(b);
            }
        }
        self.end_directive();
    }

    fn push(&mut self, start: usize, kind: Kind) {
        self.line_start = false;
        self.out.tokens.push(Token {
            start: start as u32,
            end: self.at as u32,
            kind,
            in_directive: self.directive.is_some(),
        });
    }

    fn other(&mut self, b: u8) {
        match b {
            b'\n' => {
                self.end_directive();
                self.at += 1;
                self.line_start = true;
            }
            b'\\' if self.splice_len(self.at) > 0 => self.at += self.splice_len(self.at),
            b'/' if self.peek(1) == b'/' => self.line_comment(),
            b'/' if self.peek(1) == b'*' => self.block_comment(),
            b'"' => {
                let start = self.at;
                self.string(start, b'"', Kind::Str);
            }
            b'\'' => {
                let start = self.at;
                self.string(start, b'\'', Kind::Char);
            }
            b'#' if self.line_start => {
                self.directive = Some((self.out.tokens.len(), self.at));
                self.at += 1;
                self.push(self.at - 1, Kind::Punct(b'#'));
            }
            b'<' if self.expects_header() => self.header_name(),
            _ => self.punct(b),
        }
    }

    fn end_directive(&mut self) {
        if let Some((first, byte)) = self.directive.take() {
            let mut end = self.at;
            if end > byte && self.bytes[end - 1] == b'\r' {
                end -= 1;
            }
            self.out
                .directive_spans
                .push((first..self.out.tokens.len(), byte as u32..end as u32));
        }
    }

    /// The length of a line splice (`\` and a line end) at `at`, or 0.
    fn splice_len(&self, at: usize) -> usize {
        if self.bytes.get(at) != Some(&b'\\') {
            return 0;
        }
        match (self.bytes.get(at + 1), self.bytes.get(at + 2)) {
            (Some(b'\n'), _) => 2,
            (Some(b'\r'), Some(b'\n')) => 3,
            _ => 0,
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        loop {
            match memchr::memchr(b'\n', &self.bytes[self.at..]) {
                None => self.at = self.bytes.len(),
                Some(n) => {
                    let eol = self.at + n;
                    let mut before = eol;
                    if before > start && self.bytes[before - 1] == b'\r' {
                        before -= 1;
                    }
                    if before > start && self.bytes[before - 1] == b'\\' {
                        self.at = eol + 1;
                        continue;
                    }
                    self.at = eol;
                }
            }
            break;
        }
        self.out.comments.push(start as u32..self.at as u32);
    }

    fn block_comment(&mut self) {
        let start = self.at;
        self.at = match memchr::memmem::find(&self.bytes[self.at + 2..], b"*/") {
            Some(n) => self.at + 2 + n + 2,
            None => self.bytes.len(),
        };
        self.out.comments.push(start as u32..self.at as u32);
    }

    fn ident(&mut self) {
        let start = self.at;
        while self.at < self.bytes.len() && CLASS[self.bytes[self.at] as usize] & (IDENT | DIGIT) != 0 {
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        match self.peek(0) {
            b'"' if matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") => self.raw_string(start),
            b'"' if matches!(word, b"L" | b"u" | b"U" | b"u8") => self.string(start, b'"', Kind::Str),
            b'\'' if matches!(word, b"L" | b"u" | b"U" | b"u8") => self.string(start, b'\'', Kind::Char),
            _ => self.push(start, Kind::Ident),
        }
    }

    fn number(&mut self) {
        let start = self.at;
        self.at += 1;
        while self.at < self.bytes.len() {
            let b = self.bytes[self.at];
            let sign_of_exponent = (b == b'+' || b == b'-')
                && matches!(self.bytes[self.at - 1], b'e' | b'E' | b'p' | b'P')
                && (matches!(self.bytes[self.at - 1], b'p' | b'P') || !self.bytes[start..self.at].starts_with(b"0x"));
            let separator = b == b'\'' && CLASS[self.peek(1) as usize] & (IDENT | DIGIT) != 0;
            if CLASS[b as usize] & (IDENT | DIGIT) != 0 || b == b'.' || sign_of_exponent || separator {
                self.at += 1;
            } else {
                break;
            }
        }
        self.push(start, Kind::Number);
    }

    /// A string or character literal whose quote is at the current byte. An unclosed one ends at the line's end.
    fn string(&mut self, start: usize, quote: u8, kind: Kind) {
        self.at += 1;
        while self.at < self.bytes.len() {
            match self.bytes[self.at] {
                b'\\' => {
                    let splice = self.splice_len(self.at);
                    self.at = (self.at + splice.max(2)).min(self.bytes.len());
                }
                b'\n' => break,
                b if b == quote => {
                    self.at += 1;
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.push(start, kind);
    }

    fn raw_string(&mut self, start: usize) {
        let open = self.at + 1;
        let delimiter = self.bytes[open..].iter().take(17).position(|&b| b == b'(');
        let Some(n) = delimiter.filter(|&n| !self.bytes[open..open + n].iter().any(|b| b" \t\n\\)".contains(b))) else {
            return self.string(start, b'"', Kind::Str);
        };
        let mut close = vec![b')'];
        close.extend_from_slice(&self.bytes[open..open + n]);
        close.push(b'"');
        let body = open + n + 1;
        self.at = match memchr::memmem::find(&self.bytes[body..], &close) {
            Some(n) => body + n + close.len(),
            None => self.bytes.len(),
        };
        self.push(start, Kind::RawStr);
    }

    /// Whether the tokens of this directive so far are `# include` (or its kin), so that `<` opens a header name.
    fn expects_header(&self) -> bool {
        let Some((first, _)) = self.directive else { return false };
        let t = &self.out.tokens[first..];
        t.len() == 2
            && matches!(
                &self.bytes[t[1].range()],
                b"include" | b"include_next" | b"import" | b"pragma_include"
            )
    }

    fn header_name(&mut self) {
        let start = self.at;
        let line = &self.bytes[self.at..];
        let eol = memchr::memchr(b'\n', line).unwrap_or(line.len());
        match memchr::memchr(b'>', &line[..eol]) {
            Some(n) => {
                self.at += n + 1;
                self.push(start, Kind::HeaderName);
            }
            None => self.punct(b'<'),
        }
    }

    fn punct(&mut self, b: u8) {
        let start = self.at;
        let (next, third) = (self.peek(1), self.peek(2));
        let (kind, len) = match (b, next) {
            (b'<', b'<') if third == b'<' => (Kind::LaunchOpen, 3),
            (b':', b':') => (Kind::Scope, 2),
            (b'-', b'>') => (Kind::Arrow, if third == b'*' { 3 } else { 2 }),
            (b'#', b'#') => (Kind::Paste, 2),
            (b'<', b'<') => (Kind::Op, if third == b'=' { 3 } else { 2 }),
            (b'.', b'.') if third == b'.' => (Kind::Op, 3),
            (b'<' | b'>' | b'=' | b'!' | b'+' | b'-' | b'*' | b'/' | b'%' | b'^', b'=') => (Kind::Op, 2),
            (b'&', b'=') | (b'|', b'=') => (Kind::Op, 2),
            (b'&', b'&') | (b'|', b'|') | (b'+', b'+') | (b'-', b'-') => (Kind::Op, 2),
            _ => (Kind::Punct(b), 1),
        };
        self.at += len;
        self.push(start, kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(s: &str) -> Vec<&str> {
        lex(s.as_bytes()).tokens.iter().map(|t| &s[t.range()]).collect()
    }

    #[test]
    fn raw_strings_hold_anything() {
        assert_eq!(
            words("a = R\"x(k<<<1,1>>>)\" )x\";"),
            ["a", "=", "R\"x(k<<<1,1>>>)\" )x\"", ";"]
        );
    }

    #[test]
    fn digit_separators_do_not_open_characters() {
        assert_eq!(words("1'000'000 + 'x'"), ["1'000'000", "+", "'x'"]);
    }

    #[test]
    fn splices_continue_directives_and_comments() {
        let s = "#define A \\\n  b\n// c \\\n d\ne";
        let l = lex(s.as_bytes());
        assert_eq!(l.directive_spans.len(), 1);
        assert_eq!(l.directive_spans[0].0, 0..4);
        assert_eq!(&s[l.tokens[4].range()], "e");
    }

    #[test]
    fn launches_open_with_one_token() {
        assert_eq!(
            words("k<<<a<<1,2>>>(x)"),
            ["k", "<<<", "a", "<<", "1", ",", "2", ">", ">", ">", "(", "x", ")"]
        );
    }

    #[test]
    fn hash_opens_a_directive_at_line_start_only() {
        assert_eq!(lex(b"a # b\n  # if x\n").directive_spans.len(), 1);
    }
}
