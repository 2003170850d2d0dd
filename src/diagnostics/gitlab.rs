//! GitLab's code quality report: a JSON array, an element a finding.

use super::fingerprint::{fnv, Fingerprints};
use super::render::{Failure, FileFindings, Place, Render};
use super::{Severity, Tally};
use serde_json::json;

/// The format of GitLab's code quality report.
#[derive(Debug)]
pub struct Gitlab;

impl Render for Gitlab {
    fn begin(&self) -> Vec<u8> {
        b"[\n".to_vec()
    }

    fn separator(&self) -> &'static str {
        ",\n"
    }

    fn file(&self, file: &FileFindings) -> Vec<u8> {
        let mut prints = Fingerprints::default();
        let each = file.diagnostics.iter().map(|d| {
            let at = Place::of(&d.span, file.lines);
            let print = prints.next(d, file.bytes, file.lines).to_string();
            let severity = match d.severity {
                Severity::Note => "info",
                Severity::Warning => "minor",
                Severity::Error => "major",
            };
            json!({
                "description": d.message,
                "check_name": d.code.name,
                "fingerprint": format!("{:016x}", fnv(&[file.path.as_bytes(), print.as_bytes()])),
                "severity": severity,
                "location": {"path": file.path, "lines": {"begin": at.line, "end": at.end_line}},
            })
            .to_string()
        });
        each.collect::<Vec<_>>().join(self.separator()).into_bytes()
    }

    fn end(&self, _tally: &Tally, _failures: &[Failure]) -> Vec<u8> {
        b"\n]\n".to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::super::render::sample;
    use super::*;

    #[test]
    fn one_array() {
        let text = [
            Gitlab.begin(),
            sample::render(&Gitlab, b"x\nx\n", b"x").into_bytes(),
            Gitlab.end(&Tally::default(), &[]),
        ]
        .concat();
        let value: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        assert_eq!(value.as_array().map(Vec::len), Some(2));
        assert_eq!(value[1]["location"]["lines"]["begin"], 2);
        assert_eq!(
            (&value[0]["severity"], &value[0]["check_name"]),
            (&"minor".into(), &"sample-finding".into())
        );
        assert_ne!(value[0]["fingerprint"], value[1]["fingerprint"]);
    }
}
