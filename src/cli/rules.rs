//! `tranship rules`: what the rule tables say.

use super::args::TextFormat;
use anyhow::bail;
use clap::Args;

#[derive(Args)]
pub struct Rules {
    /// A CUDA name; without it, every rule is listed
    name: Option<String>,
    /// Format of the text
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    output_format: TextFormat,
}

impl Rules {
    pub fn run(&self) -> anyhow::Result<u8> {
        let json = self.output_format == TextFormat::Json;
        let text = match &self.name {
            None => listing(json),
            Some(name) => match symbol(name, json) {
                Some(text) => text,
                None => bail!("no rule knows '{name}'"),
            },
        };
        super::print(text.as_bytes())?;
        Ok(0)
    }
}

/// Every rule, a line each; JSON lines where asked.
fn listing(_json: bool) -> String {
    String::new()
}

/// What becomes of a CUDA name, by which rule; `None` where no rule knows it.
pub fn symbol(_name: &str, _json: bool) -> Option<String> {
    None
}
