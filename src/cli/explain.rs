//! `tranship explain`: the page of a finding, or the rules of a CUDA name.

use super::args::TextFormat;
use super::rules;
use anyhow::bail;
use clap::Args;
use std::fmt::Write;
use tranship::diagnostics::policy::Selector;
use tranship::diagnostics::{codes, Code};

#[derive(Args)]
pub struct Explain {
    /// A finding's name (unsupported-api), code (TSA001) or family (TSA), or a CUDA name
    #[arg(value_name = "NAME|CODE|CUDA_SYMBOL", required_unless_present = "list")]
    what: Option<String>,
    /// List every finding
    #[arg(long, conflicts_with = "what")]
    list: bool,
    /// Format of the text
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    output_format: TextFormat,
}

impl Explain {
    pub fn run(&self) -> anyhow::Result<u8> {
        let json = self.output_format == TextFormat::Json;
        let mut out = String::new();
        if let Some(what) = &self.what {
            if let Some(code) = Code::find(what) {
                page(&mut out, code, json)?;
            } else if let Ok(family @ Selector::Family(_)) = what.parse::<Selector>() {
                list(&mut out, &family, json)?;
            } else if let Some(text) = rules::symbol(what, json) {
                out = text;
            } else {
                let known: Vec<&str> = codes::ALL.iter().flat_map(|c| [c.name, c.code]).collect();
                let guess = super::nearest(what, &known)
                    .or_else(|| rules::nearest(what))
                    .map_or(String::new(), |n| format!(" Did you mean {n}?"));
                bail!("nothing is known of '{what}'.{guess} `tranship explain --list` shows every finding");
            }
        } else {
            list(&mut out, &Selector::All, json)?;
        }
        super::print(out.as_bytes())?;
        Ok(0)
    }
}

fn list(out: &mut String, which: &Selector, json: bool) -> std::fmt::Result {
    for code in codes::ALL.iter().filter(|c| which.names(c)) {
        if json {
            page(out, code, true)?;
        } else {
            let (severity, title) = (code.severity.word(), code.title());
            writeln!(out, "{}  {severity:<8} {:<26} {title}", code.code, code.name)?;
        }
    }
    Ok(())
}

fn page(out: &mut String, code: &Code, json: bool) -> std::fmt::Result {
    let severity = code.severity.word();
    if json {
        let line = serde_json::json!({
            "type": "explanation", "schema": 1, "code": code.code, "name": code.name,
            "severity": severity, "confidence": code.confidence, "title": code.title(), "page": code.page,
        });
        writeln!(out, "{line}")
    } else {
        writeln!(
            out,
            "{} {} ({severity})\n\n{}",
            code.code,
            code.name,
            code.page.trim_end()
        )
    }
}
