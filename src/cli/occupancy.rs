//! `tranship occupancy`: how many workgroups a compute unit holds, by figures or for the kernels of a code object.

use super::args::TextFormat;
use anyhow::{bail, Context, Result};
use clap::Args;
use serde_json::{json, Value};
use std::fmt::Write;
use std::path::PathBuf;
use tranship::targets::code_object::{self, Kernel};
use tranship::targets::named as target;
use tranship::targets::occupancy::{self, Limit, Occupancy as Fits, Usage};
use tranship::targets::{self, Target};

/// How many workgroups and waves a compute unit holds, what limits them, and what one more needs.
#[derive(Args)]
pub struct Occupancy {
    /// Architecture; for a code object the one it was compiled for
    #[arg(long, value_name = "T", value_parser = target, required_unless_present = "code_object")]
    arch: Option<&'static Target>,
    /// Threads of a workgroup; for a code object the most that its kernels permit
    #[arg(long, value_name = "N", required_unless_present = "code_object")]
    block: Option<u32>,
    /// Vector registers a lane (without the AGPRs)
    #[arg(long, value_name = "N", default_value_t = 0)]
    vgpr: u32,
    /// Accumulation registers a lane
    #[arg(long, value_name = "N", default_value_t = 0)]
    agpr: u32,
    /// Scalar registers a wave
    #[arg(long, value_name = "N", default_value_t = 0)]
    sgpr: u32,
    /// LDS of a workgroup in bytes; with a code object: the dynamic part
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    lds: u32,
    /// Lanes of a wave on RDNA: 32 (default) or 64
    #[arg(long, value_name = "N")]
    wave: Option<u32>,
    /// RDNA: each compute unit of a WGP by itself
    #[arg(long)]
    cu_mode: bool,
    /// A compiled code object: ELF, offload bundle, or host program
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vgpr", "agpr", "sgpr", "wave", "cu_mode"])]
    code_object: Option<PathBuf>,
    /// Format of the figures
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    output_format: TextFormat,
}

impl Occupancy {
    pub fn run(&self) -> Result<u8> {
        let mut out = String::new();
        let json = self.output_format == TextFormat::Json;
        if let Some(path) = &self.code_object {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let kernels = code_object::kernels(&bytes).with_context(|| path.display().to_string())?;
            let mut shown = 0;
            for k in &kernels {
                if self.arch.is_some_and(|t| t.name != k.arch) {
                    continue;
                }
                shown += 1;
                out += &self.kernel(k, json)?;
            }
            if shown == 0 {
                let arch = self.arch.map_or(String::new(), |t| format!(" for {}", t.name));
                bail!("{} has no kernel{arch}", path.display());
            }
        } else if let (Some(t), Some(threads)) = (self.arch, self.block) {
            let usage = Usage {
                threads,
                vgprs: self.vgpr,
                agprs: self.agpr,
                sgprs: self.sgpr,
                lds: self.lds,
                wavefront: self.wave.unwrap_or(t.wavefront),
                cu_mode: self.cu_mode && t.cus_per_pool > 1,
            };
            let fits = occupancy::of(t, &usage)?;
            if json {
                writeln!(out, "{}", value(t, &usage, &fits))?;
            } else {
                out += &text(t, &usage, &fits);
            }
        }
        super::print(out.as_bytes())?;
        Ok(0)
    }

    fn kernel(&self, k: &Kernel, json: bool) -> Result<String> {
        let Some(t) = targets::find(&k.arch) else {
            bail!("kernel {} is for {}, which tranship does not know", k.name, k.arch);
        };
        let usage = k.usage(t, self.block.unwrap_or(k.most_threads), self.lds);
        let fits = occupancy::of(t, &usage).with_context(|| k.name.clone())?;
        let compiler = occupancy::compiler(t, &k.usage(t, k.most_threads, 0), 1, k.most_threads);
        if json {
            let mut v = value(t, &usage, &fits);
            let more = json!({
                "kernel": k.name, "static_lds_bytes": k.lds, "scratch_bytes": k.scratch, "vgpr_spills": k.vgpr_spills,
                "sgpr_spills": k.sgpr_spills, "max_block": k.most_threads, "compiler_waves_per_simd": compiler,
            });
            if let (Value::Object(v), Value::Object(more)) = (&mut v, more) {
                v.extend(more);
            }
            return Ok(format!("{v}\n"));
        }
        let mut out = format!("{}\n", k.name);
        for line in text(t, &usage, &fits).lines() {
            writeln!(out, "  {line}")?;
        }
        if k.scratch > 0 {
            writeln!(
                out,
                "  scratch          {} bytes a lane ({} vector and {} scalar registers spilled)",
                k.scratch, k.vgpr_spills, k.sgpr_spills
            )?;
        }
        writeln!(
            out,
            "  compiler's count {compiler} waves per SIMD for the best block of 1 to {} threads\n",
            k.most_threads
        )?;
        Ok(out)
    }
}

fn names(limits: &[Limit]) -> String {
    limits.iter().map(|l| l.name()).collect::<Vec<_>>().join(", ")
}

fn mode(t: &Target, u: &Usage) -> &'static str {
    if u.cu_mode {
        "CU"
    } else {
        t.pool_name()
    }
}

fn value(t: &Target, u: &Usage, o: &Fits) -> Value {
    let steps: Vec<Value> = occupancy::next_step(t, u, o)
        .iter()
        .map(|s| json!({ "limit": s.limit.name(), "at_most": s.at_most }))
        .collect();
    let limits: serde_json::Map<String, Value> = o.limits.iter().map(|(l, n)| (l.name().into(), json!(n))).collect();
    json!({
        "type": "occupancy", "schema": 1, "arch": t.name, "block": u.threads, "vgprs": u.vgprs, "agprs": u.agprs,
        "sgprs": u.sgprs, "lds_bytes": u.lds, "wavefront": u.wavefront, "unit": mode(t, u),
        "waves_per_workgroup": o.waves_per_workgroup, "vgprs_given": o.vgprs_given, "lds_given": o.lds_given,
        "waves_by_registers": o.waves_by_registers, "workgroups_by": limits, "workgroups_per_cu": o.workgroups,
        "waves_per_simd": o.waves_per_simd, "waves_per_unit": o.workgroups * o.waves_per_workgroup,
        "max_waves_per_simd": t.waves_per_simd, "limited_by": names(&o.limited_by()), "next_step": steps,
    })
}

fn text(t: &Target, u: &Usage, o: &Fits) -> String {
    let unit = mode(t, u);
    let mut out = String::new();
    let mut line = |name: &str, text: String| out += &format!("{name:<17}{text}\n");
    line(
        "target",
        format!("{} ({}), wavefront {}", t.name, t.product, u.wavefront),
    );
    line(
        "kernel",
        format!(
            "{} threads ({} waves), {} VGPRs given, {} bytes of LDS given",
            u.threads, o.waves_per_workgroup, o.vgprs_given, o.lds_given
        ),
    );
    line("workgroups", format!("{} per {unit}", o.workgroups));
    line(
        "waves",
        format!("{} per SIMD of {}", o.waves_per_simd, t.waves_per_simd),
    );
    line("limited by", names(&o.limited_by()));
    for (limit, n) in &o.limits {
        line("", format!("{}: {n} workgroups", limit.name()));
    }
    for s in occupancy::next_step(t, u, o) {
        let need = match (s.limit, s.at_most) {
            (Limit::Registers, Some(n)) => format!("at most {n} VGPRs"),
            (Limit::Lds, Some(n)) => format!("at most {n} bytes of LDS"),
            (Limit::WaveSlots, _) if o.waves_per_simd == t.waves_per_simd => "nothing: every wave slot is taken".into(),
            _ => "a smaller block".into(),
        };
        line("one more needs", need);
    }
    out
}
