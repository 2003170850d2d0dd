//! JSON lines: one object a finding, one a failure, and last a summary. Every object has `type` and `schema`.

use super::render::{Failure, FileFindings, Place, Render};
use super::{Applicability, Confidence, Severity, Tally};
use serde::Serialize;

/// The number that changes when a field changes its meaning.
pub const SCHEMA: u32 = 1;

/// The JSON lines format.
#[derive(Debug)]
pub struct Json {
    /// The names of the run's targets: a finding that concerns every one lists these.
    pub targets: Vec<&'static str>,
}

#[derive(Serialize)]
struct Finding<'a> {
    r#type: &'static str,
    schema: u32,
    code: &'static str,
    name: &'static str,
    severity: Severity,
    confidence: Confidence,
    path: &'a str,
    #[serde(flatten)]
    place: Place,
    message: &'a str,
    notes: &'a [String],
    help: Option<&'a str>,
    labels: Vec<Label<'a>>,
    targets: &'a [&'static str],
    rule: Option<&'a str>,
    fix: Option<Fix>,
}

#[derive(Serialize)]
struct Label<'a> {
    #[serde(flatten)]
    place: Place,
    message: &'a str,
}

#[derive(Serialize)]
struct Fix {
    applicability: Applicability,
    edits: Vec<Edit>,
}

/// Offsets count bytes of the input. `text` of another encoding than UTF-8 is shown, not meant for applying.
#[derive(Serialize)]
struct Edit {
    start: usize,
    end: usize,
    #[serde(flatten)]
    place: Place,
    text: String,
}

#[derive(Serialize)]
struct Fault<'a> {
    r#type: &'static str,
    schema: u32,
    path: &'a str,
    message: &'a str,
}

impl Render for Json {
    fn file(&self, file: &FileFindings) -> Vec<u8> {
        let mut out = Vec::new();
        for d in file.diagnostics {
            let place = |span| Place::of(span, file.lines);
            let finding = Finding {
                r#type: "diagnostic",
                schema: SCHEMA,
                code: d.code.code,
                name: d.code.name,
                severity: d.severity,
                confidence: d.confidence,
                path: file.path,
                place: place(&d.span),
                message: &d.message,
                notes: &d.notes,
                help: d.help.as_deref(),
                labels: d
                    .secondary
                    .iter()
                    .map(|(span, message)| Label {
                        place: place(span),
                        message,
                    })
                    .collect(),
                targets: if d.targets.is_empty() {
                    &self.targets
                } else {
                    &d.targets
                },
                rule: d.rule.as_deref(),
                fix: d.fix.as_ref().map(|fix| Fix {
                    applicability: fix.applicability,
                    edits: fix
                        .edits
                        .iter()
                        .map(|(span, text)| Edit {
                            start: span.start,
                            end: span.end,
                            place: place(span),
                            text: String::from_utf8_lossy(text).into_owned(),
                        })
                        .collect(),
                }),
            };
            line(&mut out, &finding);
        }
        out
    }

    fn failure(&self, failure: &Failure) -> Vec<u8> {
        let mut out = Vec::new();
        line(
            &mut out,
            &Fault {
                r#type: "error",
                schema: SCHEMA,
                path: &failure.path,
                message: &failure.message,
            },
        );
        out
    }

    fn end(&self, tally: &Tally, _failures: &[Failure]) -> Vec<u8> {
        #[derive(Serialize)]
        struct Summary<'a> {
            r#type: &'static str,
            schema: u32,
            #[serde(flatten)]
            tally: &'a Tally,
        }
        let mut out = Vec::new();
        let r#type = "summary";
        line(
            &mut out,
            &Summary {
                r#type,
                schema: SCHEMA,
                tally,
            },
        );
        out
    }
}

/// Appends a value and a line end.
pub fn line(out: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(&mut *out, value).expect("keys are strings and a Vec takes every write");
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::super::render::sample;
    use super::*;

    #[test]
    fn line_shape() {
        let json = Json {
            targets: vec!["gfx942"],
        };
        let text = sample::render(&json, b"a\n\xffx", b"x");
        assert_eq!(
            text,
            "{\"type\":\"diagnostic\",\"schema\":1,\"code\":\"TST001\",\"name\":\"sample-finding\",\"severity\":\"warning\",\"confidence\":\"medium\",\
             \"path\":\"d/a b.cu\",\"line\":2,\"column\":2,\"end_line\":2,\"end_column\":3,\
             \"message\":\"found, 100% sure: it is there\",\"notes\":[\"because\"],\"help\":\"look again\",\"labels\":[],\
             \"targets\":[\"gfx942\"],\"rule\":null,\"fix\":null}\n"
        );
    }

    #[test]
    fn summary_is_an_object() {
        let mut tally = Tally::default();
        tally.diagnostics.insert(Severity::Error, 2);
        tally.names.insert(crate::ledger::Fate::Renamed, 3);
        let end = Json { targets: vec![] }.end(&tally, &[]);
        let value: serde_json::Value = serde_json::from_slice(&end).expect("JSON");
        assert_eq!(value["type"], "summary");
        assert_eq!(value["diagnostics"]["error"], 2);
        assert_eq!(value["names"]["renamed"], 3);
    }
}
