//! The words of an ignore comment.

use std::ops::Range;

/// What starts one.
pub const KEY: &[u8] = b"tranship:";

/// Which code a comment speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Here,
    File,
    Begin,
    End,
}

/// One line of a comment that speaks to tranship.
pub struct Line {
    /// What it asks, or why it is not understood.
    pub form: Result<Form, String>,
    pub words: Vec<Word>,
    /// The directive without its reason.
    pub span: Range<usize>,
    /// The comment holds no text before it, and no line after it.
    pub alone: bool,
}

/// A name in the brackets.
pub struct Word {
    pub text: String,
    pub span: Range<usize>,
}

/// Reads a comment: its lines that begin with the key, or hold it after `//`.
pub fn read(bytes: &[u8], comment: &Range<usize>) -> Vec<Line> {
    let mut out = Vec::new();
    let mut from = comment.start;
    while let Some(n) = memchr::memmem::find(&bytes[from..comment.end], KEY) {
        let at = from + n;
        let line_start =
            memchr::memrchr(b'\n', &bytes[comment.start..at]).map_or(comment.start, |n| comment.start + n + 1);
        let end = memchr::memchr(b'\n', &bytes[at..comment.end]).map_or(comment.end, |n| at + n);
        from = end;
        let before = bytes[line_start..at].trim_ascii_end();
        let opens = before.iter().all(|b| b"/*!< \t".contains(b));
        if opens || before.ends_with(b"//") {
            let first = opens && bytes[comment.start..at].iter().all(|b| b"/*!< \t\r\n".contains(b));
            let rest = bytes[end..comment.end].trim_ascii();
            let mut line = directive(bytes, at, end);
            line.alone = first && (rest.is_empty() || rest == b"*/");
            out.push(line);
        }
    }
    out
}

/// Reads `tranship: ignore[a, b] reason` between two offsets.
fn directive(bytes: &[u8], at: usize, end: usize) -> Line {
    let skip = |from: usize| from + bytes[from..end].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let start = skip(at + KEY.len());
    let is_word = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'-' || **b == b'_';
    let word_end = start + bytes[start..end].iter().take_while(is_word).count();
    let word = &bytes[start..word_end];
    let mut line = Line {
        form: Ok(Form::Here),
        words: Vec::new(),
        span: at..word_end,
        alone: false,
    };
    line.form = match word {
        b"ignore" => Ok(Form::Here),
        b"ignore-file" => Ok(Form::File),
        b"ignore-begin" => Ok(Form::Begin),
        b"ignore-end" => Ok(Form::End),
        _ => Err(format!(
            "`tranship: {}` says nothing that tranship knows",
            String::from_utf8_lossy(word)
        )),
    };
    let open = skip(word_end);
    if line.form.is_err() {
        return line;
    }
    if bytes.get(open) != Some(&b'[') || open >= end {
        line.form = Err("the names to ignore are missing: write them in brackets".to_string());
        return line;
    }
    let Some(close) = memchr::memchr(b']', &bytes[open..end]).map(|n| open + n) else {
        line.form = Err("the list of names is not closed by `]`".to_string());
        return line;
    };
    line.span.end = close + 1;
    let mut from = open + 1;
    for part in bytes[open + 1..close].split(|b| *b == b',') {
        let lead = part.len() - part.trim_ascii_start().len();
        let text = part.trim_ascii();
        if !text.is_empty() {
            line.words.push(Word {
                text: String::from_utf8_lossy(text).into_owned(),
                span: from + lead..from + lead + text.len(),
            });
        }
        from += part.len() + 1;
    }
    if line.words.is_empty() {
        line.form = Err("there is no name in the brackets".to_string());
    }
    line
}
