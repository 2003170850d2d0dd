//! GitHub's workflow commands: findings become annotations on the lines of a pull request.

use super::render::{Failure, FileFindings, Place, Render};
use super::Severity;
use std::fmt::Write;

/// The format of GitHub annotations.
#[derive(Debug)]
pub struct Github;

impl Render for Github {
    fn file(&self, file: &FileFindings) -> Vec<u8> {
        let mut out = String::new();
        for d in file.diagnostics {
            let at = Place::of(&d.span, file.lines);
            let command = match d.severity {
                Severity::Note => "notice",
                s => s.word(),
            };
            let _ = write!(
                out,
                "::{command} file={},line={},col={}",
                property(file.path),
                at.line,
                at.column
            );
            // GitHub takes an end column only for a finding within one line.
            let _ = if at.end_line == at.line {
                write!(out, ",endColumn={}", at.end_column)
            } else {
                write!(out, ",endLine={}", at.end_line)
            };
            let mut message = d.message.clone();
            for text in d.notes.iter().chain(&d.help) {
                message.push('\n');
                message.push_str(text);
            }
            let _ = writeln!(out, ",title={}::{}", property(d.code.name), data(&message));
        }
        out.into_bytes()
    }

    fn failure(&self, failure: &Failure) -> Vec<u8> {
        format!("::error file={}::{}\n", property(&failure.path), data(&failure.message)).into_bytes()
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::render::sample;

    #[test]
    fn annotation() {
        let text = sample::render(&super::Github, b"ab x", b"x");
        assert_eq!(
            text,
            "::warning file=d/a b.cu,line=1,col=4,endColumn=5,title=sample-finding::\
             found, 100%25 sure: it is there%0Abecause%0Alook again\n"
        );
    }
}
