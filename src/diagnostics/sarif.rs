//! SARIF 2.1.0, for code scanning. One run; the rules are the catalogue; results are streamed, file by file.

use super::fingerprint::{Fingerprints, LONG_LINE};
use super::render::{Failure, FileFindings, Place, Render};
use super::{codes, Applicability, Confidence, Fix, Tally};
use serde_json::{json, Value};
use std::ops::Range;

/// The SARIF format.
#[derive(Debug, Default)]
pub struct Sarif {
    /// The folder that URIs are relative to, absolute; paths outside it stay as they are.
    pub base: String,
}

impl Render for Sarif {
    fn begin(&self) -> Vec<u8> {
        let rules: Vec<Value> = codes::ALL
            .iter()
            .map(|c| {
                json!({
                    "id": c.code,
                    "name": c.name,
                    "shortDescription": {"text": c.title()},
                    "help": {"text": c.page, "markdown": c.page},
                    "defaultConfiguration": {"level": c.severity.word()},
                    "properties": {"precision": precision(c.confidence)},
                })
            })
            .collect();
        let driver = json!({"name": "tranship", "version": env!("CARGO_PKG_VERSION"), "rules": rules});
        format!(
            "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\
             \"tool\":{{\"driver\":{driver}}},\"columnKind\":\"unicodeCodePoints\",\"results\":[\n"
        )
        .into_bytes()
    }

    fn separator(&self) -> &'static str {
        ",\n"
    }

    fn file(&self, file: &FileFindings) -> Vec<u8> {
        let mut prints = Fingerprints::default();
        let results: Vec<String> = file
            .diagnostics
            .iter()
            .map(|d| {
                let mut message = d.message.clone();
                for text in d.notes.iter().chain(&d.help) {
                    message.push('\n');
                    message.push_str(text);
                }
                let mut result = json!({
                    "ruleId": d.code.code,
                    "level": d.severity.word(),
                    "message": {"text": message},
                    "locations": [self.location(file, &d.span)],
                    "partialFingerprints": {"tranship/v1": prints.next(d, file.bytes, file.lines).to_string()},
                });
                if let Some(index) = codes::ALL.iter().position(|c| c.code == d.code.code) {
                    result["ruleIndex"] = json!(index);
                }
                if !d.secondary.is_empty() {
                    let related = d.secondary.iter().map(|(span, text)| {
                        let mut place = self.location(file, span);
                        place["message"] = json!({"text": text});
                        place
                    });
                    result["relatedLocations"] = related.collect();
                }
                let fix = d.fix.as_ref().filter(|f| f.applicability != Applicability::Manual);
                if let Some(changes) = fix.and_then(|f| self.changes(file, f)) {
                    let how = match fix.map(|f| f.applicability) {
                        Some(Applicability::Safe) => "safe: the meaning stays",
                        _ => "look at it before you accept it",
                    };
                    result["fixes"] = json!([{"description": {"text": how}, "artifactChanges": [changes]}]);
                }
                result["properties"] = json!({"precision": precision(d.confidence)});
                if !d.targets.is_empty() {
                    result["properties"]["targets"] = json!(d.targets);
                }
                result.to_string()
            })
            .collect();
        results.join(self.separator()).into_bytes()
    }

    fn end(&self, _tally: &Tally, failures: &[Failure]) -> Vec<u8> {
        let notes: Vec<Value> = failures
            .iter()
            .map(|f| {
                json!({
                    "level": "error",
                    "message": {"text": f.message},
                    "locations": [{"physicalLocation": {"artifactLocation": {"uri": self.uri(&f.path)}}}],
                })
            })
            .collect();
        let invocation = json!({"executionSuccessful": failures.is_empty(), "toolExecutionNotifications": notes});
        format!("\n],\"invocations\":[{invocation}]}}]}}\n").into_bytes()
    }
}

/// GitHub's word for how likely a finding is right.
fn precision(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "high",
        Confidence::Medium => "medium",
        Confidence::Low => "low",
    }
}

impl Sarif {
    fn location(&self, file: &FileFindings, span: &Range<usize>) -> Value {
        json!({"physicalLocation": {
            "artifactLocation": {"uri": self.uri(file.path)},
            "region": region(file, span),
        }})
    }

    /// A fix as replacements; `None` where it writes bytes that are not UTF-8.
    fn changes(&self, file: &FileFindings, fix: &Fix) -> Option<Value> {
        let mut replacements = Vec::new();
        for (range, new) in &fix.edits {
            let text = std::str::from_utf8(new).ok()?;
            let mut one = json!({"deletedRegion": region(file, range)});
            if !text.is_empty() {
                one["insertedContent"] = json!({"text": text});
            }
            replacements.push(one);
        }
        Some(json!({"artifactLocation": {"uri": self.uri(file.path)}, "replacements": replacements}))
    }

    /// A relative URI reference of a path below the base or a relative one, a `file:` URI of any other.
    fn uri(&self, path: &str) -> String {
        let below = path.strip_prefix(&self.base).and_then(|p| p.strip_prefix('/'));
        uri(below.filter(|_| !self.base.is_empty()).unwrap_or(path))
    }
}

fn region(file: &FileFindings, span: &Range<usize>) -> Value {
    let at = Place::of(span, file.lines);
    let points = |line: usize, column: usize| {
        let range = file.lines.range(line - 1, file.bytes);
        let end = (range.start + column - 1).min(range.end.max(range.start));
        // Past that length columns count bytes.
        if range.len() > LONG_LINE {
            return column;
        }
        String::from_utf8_lossy(&file.bytes[range.start..end]).chars().count() + 1
    };
    json!({
        "startLine": at.line,
        "startColumn": points(at.line, at.column),
        "endLine": at.end_line,
        "endColumn": points(at.end_line, at.end_column),
    })
}

/// A relative URI reference of a relative path, a `file:` URI of an absolute one.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b'+' => out.push(byte as char),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::render::sample;
    use super::*;

    #[test]
    fn whole_document() {
        let sarif = Sarif::default();
        let mut text = String::from_utf8(sarif.begin()).expect("UTF-8");
        text += &sample::render(&sarif, "é x\nx\n  é x".as_bytes(), b"x");
        let below = Sarif { base: "/w".into() };
        assert_eq!(below.uri("/w/a b.cu"), "a%20b.cu");
        assert_eq!(below.uri("/other/b.cu"), "file:///other/b.cu");
        let failure = Failure {
            path: "b.cu".into(),
            message: "cannot read b.cu".into(),
        };
        text += &String::from_utf8(sarif.end(&Tally::default(), &[failure])).expect("UTF-8");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let run = &value["runs"][0];
        assert_eq!(run["results"].as_array().map(Vec::len), Some(3));
        let first = &run["results"][0];
        assert_eq!(first["locations"][0]["physicalLocation"]["region"]["startColumn"], 3);
        assert_eq!(
            first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "d/a%20b.cu"
        );
        let print = |i: usize| run["results"][i]["partialFingerprints"]["tranship/v1"].clone();
        assert_ne!(print(0), print(1));
        assert_eq!(print(0).as_str().map(|s| &s[..16]), print(2).as_str().map(|s| &s[..16]));
        assert_ne!(print(0), print(2), "the second of its like");
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        assert_eq!(
            run["tool"]["driver"]["rules"].as_array().map(Vec::len),
            Some(codes::ALL.len())
        );
    }
}
