//! `path:line:column: severity[name]: message`, a line a finding: for editors and grep.

use super::render::{FileFindings, Place, Render};
use std::fmt::Write;

/// The short form.
#[derive(Debug)]
pub struct Short;

impl Render for Short {
    fn file(&self, file: &FileFindings) -> Vec<u8> {
        let mut out = String::new();
        for d in file.diagnostics {
            let at = Place::of(&d.span, file.lines);
            let (severity, name) = (d.severity.word(), d.code.name);
            let _ = writeln!(
                out,
                "{}:{}:{}: {severity}[{name}]: {}",
                file.path, at.line, at.column, d.message
            );
        }
        out.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::super::render::sample;

    #[test]
    fn one_line_each() {
        let text = sample::render(&super::Short, b"a\r\n\xff x x\n", b"x");
        assert_eq!(
            text,
            "d/a b.cu:2:3: warning[sample-finding]: found, 100% sure: it is there\n\
             d/a b.cu:2:5: warning[sample-finding]: found, 100% sure: it is there\n"
        );
    }
}
