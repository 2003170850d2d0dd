//! `tranship targets`: the architectures that `--arch` takes, and GPUs side by side.

use super::args::TextFormat;
use anyhow::{bail, Result};
use clap::Args;
use serde_json::{json, Map, Value};
use std::fmt::Write;
use tranship::targets::{default_targets, rocm_list, Agprs, Nvidia, Part, Target, NVIDIA, SOURCES, TARGETS};

#[derive(Args)]
pub struct Targets {
    /// Architectures or products to set side by side: gfx950 sm_100, or 'MI355X' B200
    #[arg(value_name = "GPU")]
    gpus: Vec<String>,
    /// List NVIDIA's parts too
    #[arg(long)]
    nvidia: bool,
    /// Format of the table
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    output_format: TextFormat,
}

impl Targets {
    pub fn run(&self) -> Result<u8> {
        let json = self.output_format == TextFormat::Json;
        let mut out = String::new();
        if !self.gpus.is_empty() {
            let chosen = self.gpus.iter().map(|g| find(g)).collect::<Result<Vec<_>>>()?;
            if json {
                chosen.iter().for_each(|g| out += &format!("{}\n", g.json()));
            } else {
                out = side_by_side(&chosen);
            }
        } else if json {
            for t in TARGETS {
                out += &format!("{}\n", Gpu::Amd(t, &t.parts[0]).json());
            }
            if self.nvidia {
                NVIDIA
                    .iter()
                    .for_each(|n| out += &format!("{}\n", Gpu::Nvidia(n, &n.parts[0]).json()));
            }
        } else {
            list(&mut out, self.nvidia)?;
        }
        super::print(out.as_bytes())?;
        Ok(0)
    }
}

fn is_default(name: &str) -> bool {
    default_targets().iter().any(|t| t.name == name)
}

fn list(out: &mut String, nvidia: bool) -> std::fmt::Result {
    writeln!(
        out,
        "{:<9}{:<9}{:>9}{:>11}  {:<6}{:<8}products",
        "name", "family", "wavefront", "LDS bytes", "fp8", "images"
    )?;
    let products = |parts: &[Part]| parts.iter().map(|p| p.product).collect::<Vec<_>>().join(", ");
    for t in TARGETS {
        let images = if t.images { "yes" } else { "no" };
        let note = if is_default(t.name) { " (default)" } else { "" };
        writeln!(
            out,
            "{:<9}{:<9}{:>9}{:>11}  {:<6}{images:<8}{}{note}",
            t.name,
            t.family,
            t.wavefront,
            t.lds_bytes,
            t.fp8,
            products(t.parts)
        )?;
    }
    if nvidia {
        for n in NVIDIA {
            writeln!(
                out,
                "{:<9}{:<9}{:>9}{:>11}  {:<6}{:<8}{}",
                n.name,
                n.family,
                n.wavefront,
                n.shared_optin,
                n.fp8,
                "yes",
                products(n.parts)
            )?;
        }
    }
    writeln!(out, "\nROCm releases: {}", rocm_list())?;
    writeln!(out, "Side by side, NVIDIA's too: tranship targets gfx950 sm_100 'H200'")
}

/// A GPU of either maker: its architecture and one product.
enum Gpu {
    Amd(&'static Target, &'static Part),
    Nvidia(&'static Nvidia, &'static Part),
}

/// By architecture, or by a part of a product's name.
fn find(wanted: &str) -> Result<Gpu> {
    let amd = TARGETS
        .iter()
        .flat_map(|t| t.parts.iter().map(move |p| (t.name, Gpu::Amd(t, p))));
    let nvidia = NVIDIA
        .iter()
        .flat_map(|n| n.parts.iter().map(move |p| (n.name, Gpu::Nvidia(n, p))));
    let mut all: Vec<(&str, Gpu)> = amd.chain(nvidia).collect();
    let low = wanted.to_lowercase();
    let holds = |g: &Gpu| {
        g.part().product.to_lowercase().split([' ', '(', ')']).any(|w| w == low)
            || g.part().product.to_lowercase() == low
    };
    if let Some(i) = all.iter().position(|(name, g)| *name == low || holds(g)) {
        return Ok(all.swap_remove(i).1);
    }
    let words: Vec<&str> = all
        .iter()
        .map(|(name, _)| *name)
        .chain(all.iter().flat_map(|(_, g)| g.part().product.split(' ')))
        .collect();
    let guess = super::nearest(wanted, &words).map_or(String::new(), |n| format!(" Did you mean {n}?"));
    bail!("no GPU '{wanted}' is known.{guess} `tranship targets --nvidia` lists them")
}

impl Gpu {
    fn part(&self) -> &'static Part {
        match self {
            Gpu::Amd(_, p) | Gpu::Nvidia(_, p) => p,
        }
    }

    /// The figures as rows: key for programs, label for people, value.
    fn rows(&self) -> Vec<(&'static str, &'static str, Value)> {
        let p = self.part();
        let mut rows = match self {
            Gpu::Amd(t, _) => vec![
                ("name", "architecture", json!(t.name)),
                ("vendor", "maker", json!("AMD")),
                ("product", "product", json!(p.product)),
                ("family", "family", json!(t.family)),
                ("wavefront", "lanes of a wave", json!(t.wavefront)),
                ("wavefronts", "widths", json!(t.wavefronts)),
                ("lds_bytes", "LDS of a workgroup, bytes", json!(t.lds_bytes)),
                ("lds_pool", "LDS of a unit, bytes", json!(t.lds_pool)),
                ("lds_granule", "LDS granule, bytes", json!(t.lds_granule)),
                ("lds_banks", "LDS banks", json!(t.lds_banks)),
                ("lds_bank_bytes", "bank width, bytes", json!(t.lds_bank_bytes)),
                ("lds_bytes_per_clock", "LDS bytes a clock", json!(t.lds_bytes_per_clock)),
                ("unit", "unit that a workgroup fits in", json!(t.pool_name())),
                ("simds", "SIMDs of a unit", json!(t.simds)),
                ("waves_per_simd", "waves of a SIMD", json!(t.waves_per_simd)),
                ("workgroups", "workgroups of several waves in a unit", json!(t.barriers)),
                ("max_block", "threads of a workgroup", json!(1024)),
                ("vgprs", "registers of a lane on a SIMD", json!(t.vgprs)),
                ("vgpr_granule", "register granule", json!(t.vgpr_granule)),
                ("vgprs_per_wave", "registers of a thread, most", json!(t.vgprs_per_wave)),
                (
                    "agprs",
                    "matrix accumulation registers",
                    json!(match t.agprs {
                        Agprs::None => "none",
                        Agprs::Separate => "separate",
                        Agprs::Unified => "unified",
                    }),
                ),
                ("fp8", "fp8 format", json!(t.fp8)),
                ("images", "texture hardware", json!(t.images)),
                ("features", "notes", json!(t.features)),
                ("default", "default of --arch", json!(is_default(t.name))),
            ],
            Gpu::Nvidia(n, _) => vec![
                ("name", "architecture", json!(n.name)),
                ("vendor", "maker", json!("NVIDIA")),
                ("product", "product", json!(p.product)),
                ("family", "family", json!(n.family)),
                ("wavefront", "lanes of a wave", json!(n.wavefront)),
                ("wavefronts", "widths", json!([n.wavefront])),
                ("lds_bytes", "LDS of a workgroup, bytes", json!(n.shared_optin)),
                ("lds_default_bytes", "without opt-in, bytes", json!(n.shared_per_block)),
                ("lds_pool", "LDS of a unit, bytes", json!(n.shared_per_sm)),
                ("lds_granule", "LDS granule, bytes", json!(n.shared_granule)),
                ("lds_banks", "LDS banks", json!(n.shared_banks)),
                ("lds_bank_bytes", "bank width, bytes", json!(4)),
                (
                    "lds_bytes_per_clock",
                    "LDS bytes a clock",
                    json!(n.shared_bytes_per_clock),
                ),
                ("unit", "unit that a workgroup fits in", json!("SM")),
                ("simds", "SIMDs of a unit", json!(n.simds)),
                ("waves_per_simd", "waves of a SIMD", json!(n.warps_per_sm / n.simds)),
                (
                    "workgroups",
                    "workgroups of several waves in a unit",
                    json!(n.blocks_per_sm),
                ),
                ("max_block", "threads of a workgroup", json!(1024)),
                (
                    "vgprs",
                    "registers of a lane on a SIMD",
                    json!(n.registers / n.simds / n.wavefront),
                ),
                ("vgpr_granule", "register granule", json!(8)),
                (
                    "vgprs_per_wave",
                    "registers of a thread, most",
                    json!(n.registers_per_thread),
                ),
                ("fp8", "fp8 format", json!(n.fp8)),
                ("images", "texture hardware", json!(true)),
                ("features", "notes", json!(n.features)),
            ],
        };
        rows.extend([
            ("compute_units", "compute units", json!(p.compute_units)),
            ("clock_mhz", "clock, MHz", json!(p.clock_mhz)),
            ("l1_bytes", "L1 of a unit, bytes", json!(p.l1_bytes)),
            ("l2_bytes", "L2, bytes", json!(p.l2_bytes)),
            ("llc_bytes", "last-level cache, bytes", json!(p.llc_bytes)),
            ("memory_gb", "memory, GB", json!(p.memory_gb)),
            ("memory_gbps", "memory, GB/s", json!(p.memory_gbps)),
            ("chiplets", "chiplets", json!(p.chiplets)),
            ("sources", "sources", json!(p.sources)),
        ]);
        rows
    }

    fn json(&self) -> Value {
        let mut map = Map::new();
        map.insert("type".into(), json!("target"));
        map.insert("schema".into(), json!(1));
        map.extend(self.rows().into_iter().map(|(key, _, v)| (key.to_string(), v)));
        let peaks: Map<String, Value> = self
            .part()
            .peaks
            .iter()
            .map(|(k, v)| (k.to_string(), json!(v)))
            .collect();
        map.insert("peak_tflops".into(), Value::Object(peaks));
        if let Gpu::Amd(t, _) = self {
            let parts: Vec<&str> = t.parts.iter().map(|p| p.product).collect();
            map.insert("products".into(), json!(parts));
        }
        Value::Object(map)
    }
}

fn side_by_side(gpus: &[Gpu]) -> String {
    let rows: Vec<_> = gpus.iter().map(Gpu::rows).collect();
    let mut table: Vec<Vec<String>> = Vec::new();
    let mut keys: Vec<(&str, &str)> = Vec::new();
    for (key, label, _) in rows.iter().flatten() {
        if !keys.iter().any(|k| k.0 == *key) && !matches!(*key, "default" | "features" | "sources") {
            keys.push((key, label));
        }
    }
    for (key, label) in keys {
        let mut line = vec![label.to_string()];
        line.extend(
            rows.iter()
                .map(|r| r.iter().find(|x| x.0 == key).map_or("-".into(), |x| shown(&x.2))),
        );
        table.push(line);
    }
    let mut types: Vec<&str> = Vec::new();
    for (k, _) in gpus.iter().flat_map(|g| g.part().peaks) {
        if !types.contains(k) {
            types.push(k);
        }
    }
    for k in types {
        let of = |g: &Gpu| {
            g.part()
                .peaks
                .iter()
                .find(|p| p.0 == k)
                .map_or("-".into(), |p| p.1.to_string())
        };
        let mut line = vec![format!("peak {}, T/s", k.replace('_', " "))];
        line.extend(gpus.iter().map(of));
        table.push(line);
    }
    let width = |c: usize| table.iter().map(|l| l[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=gpus.len()).map(width).collect();
    let mut out = String::new();
    for line in &table {
        let cells: Vec<String> = line.iter().zip(&widths).map(|(c, w)| format!("{c:<w$}")).collect();
        out += cells.join("  ").trim_end();
        out.push('\n');
    }
    out.push('\n');
    for g in gpus {
        if let Some((_, _, v)) = g.rows().iter().find(|r| r.0 == "features") {
            out += &format!("{}: {}\n", g.part().product, shown(v));
        }
    }
    out += "\nA figure without a public source is shown as -. Sources:\n";
    for (key, text) in SOURCES
        .iter()
        .filter(|s| gpus.iter().any(|g| g.part().sources.contains(&s.0)))
    {
        out += &format!("  {key:<4}{text}\n");
    }
    out
}

fn shown(v: &Value) -> String {
    match v {
        Value::Null => "-".into(),
        Value::String(s) => s.clone(),
        Value::Bool(b) => if *b { "yes" } else { "no" }.into(),
        Value::Array(a) => a.iter().map(shown).collect::<Vec<_>>().join(", "),
        v => v.to_string(),
    }
}
