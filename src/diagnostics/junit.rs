//! JUnit XML: a test case a finding, for servers that show test reports.

use super::render::{Failure, FileFindings, Place, Render};
use super::Tally;
use std::fmt::Write;

/// The JUnit format.
#[derive(Debug)]
pub struct Junit;

impl Render for Junit {
    fn begin(&self) -> Vec<u8> {
        b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"tranship\">\n".to_vec()
    }

    fn file(&self, file: &FileFindings) -> Vec<u8> {
        let mut out = String::new();
        for d in file.diagnostics {
            let at = Place::of(&d.span, file.lines);
            let mut text = format!("{}:{}:{}: {}", file.path, at.line, at.column, d.message);
            for more in d.notes.iter().chain(&d.help) {
                text.push('\n');
                text.push_str(more);
            }
            let _ = writeln!(
                out,
                "<testcase classname=\"{}\" name=\"{}:{} {}\"><failure type=\"{}\" message=\"{}\">{}</failure></testcase>",
                escape(file.path),
                at.line,
                at.column,
                d.code.name,
                d.severity.word(),
                escape(&d.message),
                escape(&text)
            );
        }
        out.into_bytes()
    }

    fn failure(&self, failure: &Failure) -> Vec<u8> {
        let (path, message) = (escape(&failure.path), escape(&failure.message));
        format!("<testcase classname=\"{path}\" name=\"read\"><error message=\"{message}\"/></testcase>\n").into_bytes()
    }

    fn end(&self, _tally: &Tally, _failures: &[Failure]) -> Vec<u8> {
        b"</testsuite>\n</testsuites>\n".to_vec()
    }
}

/// Text for XML 1.0, which has no control characters but tab and line ends.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::render::sample;
    use super::*;

    #[test]
    fn cases_and_escapes() {
        let text = sample::render(&Junit, b"\n x", b"x");
        assert_eq!(
            text,
            "<testcase classname=\"d/a b.cu\" name=\"2:2 sample-finding\"><failure type=\"warning\" \
             message=\"found, 100% sure: it is there\">d/a b.cu:2:2: found, 100% sure: it is there\n\
             because\nlook again</failure></testcase>\n"
        );
        assert_eq!(escape("a<b> & \"c\"\u{1b}"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}");
    }
}
