//! `tranship targets`: the architectures that `--arch` takes.

use super::args::TextFormat;
use clap::Args;
use std::fmt::Write;
use tranship::targets::{default_targets, rocm_list, TARGETS};

#[derive(Args)]
pub struct Targets {
    /// Format of the table
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    output_format: TextFormat,
}

impl Targets {
    pub fn run(&self) -> anyhow::Result<u8> {
        let mut out = String::new();
        let default = |name| default_targets().iter().any(|t| t.name == name);
        match self.output_format {
            TextFormat::Human => {
                writeln!(
                    out,
                    "{:<10}{:<9}{:>9}{:>11}  {:<6}{:<8}product",
                    "name", "family", "wavefront", "LDS bytes", "fp8", "images"
                )?;
                for t in TARGETS {
                    let images = if t.images { "yes" } else { "no" };
                    let note = if default(t.name) { " (default)" } else { "" };
                    writeln!(
                        out,
                        "{:<10}{:<9}{:>9}{:>11}  {:<6}{images:<8}{}{note}",
                        t.name, t.family, t.wavefront, t.lds_bytes, t.fp8, t.product
                    )?;
                }
                writeln!(out, "\nROCm releases: {}", rocm_list())?;
            }
            TextFormat::Json => {
                for t in TARGETS {
                    let line = serde_json::json!({
                        "type": "target", "schema": 1, "name": t.name, "product": t.product, "family": t.family,
                        "wavefront": t.wavefront, "lds_bytes": t.lds_bytes, "fp8": t.fp8, "images": t.images,
                        "default": default(t.name),
                    });
                    writeln!(out, "{line}")?;
                }
            }
        }
        super::print(out.as_bytes())?;
        Ok(0)
    }
}
