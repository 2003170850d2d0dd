//! How many workgroups a compute unit holds, and what limits them: integer arithmetic over `rules/targets.toml`.
//!
//! Two figures are computed. [`of`] counts workgroups that are resident at once, as the hardware places them: whole
//! workgroups, LDS in granules, barriers. [`compiler`] repeats what LLVM's `kernel-resource-usage` remark prints, which
//! counts waves for the best block size the kernel permits and does not round LDS to the granule.

use super::{Agprs, Target};

/// What a kernel takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Threads of a workgroup.
    pub threads: u32,
    /// Architectural vector registers a lane.
    pub vgprs: u32,
    /// Accumulation registers a lane.
    pub agprs: u32,
    /// Scalar registers a wave, VCC and the like included.
    pub sgprs: u32,
    /// LDS of a workgroup in bytes, static and dynamic.
    pub lds: u32,
    /// Lanes of a wave.
    pub wavefront: u32,
    /// RDNA: each compute unit of a WGP by itself.
    pub cu_mode: bool,
}

/// A resource that can limit occupancy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Registers,
    Lds,
    Barriers,
    WaveSlots,
}

impl Limit {
    pub fn name(self) -> &'static str {
        match self {
            Limit::Registers => "registers",
            Limit::Lds => "lds",
            Limit::Barriers => "barriers",
            Limit::WaveSlots => "wave slots",
        }
    }
}

/// What fits, and why no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupancy {
    pub waves_per_workgroup: u32,
    /// Vector registers that a wave is given.
    pub vgprs_given: u32,
    /// LDS that a workgroup is given, in bytes.
    pub lds_given: u32,
    /// Waves that the registers of a SIMD hold.
    pub waves_by_registers: u32,
    /// Workgroups that each resource allows; a resource that does not limit is absent.
    pub limits: Vec<(Limit, u32)>,
    /// Workgroups of a compute unit (of a WGP on RDNA in WGP mode).
    pub workgroups: u32,
    /// Resident waves of a SIMD, rounded down.
    pub waves_per_simd: u32,
}

impl Occupancy {
    /// The resources that allow no more workgroups than there are.
    pub fn limited_by(&self) -> Vec<Limit> {
        let least = |l: &&(Limit, u32)| l.1 == self.workgroups;
        self.limits.iter().filter(least).map(|l| l.0).collect()
    }
}

/// Why there is no occupancy to speak of: the kernel cannot be launched so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotRun {
    #[error("a block of {0} threads: a workgroup has 1 to 1024")]
    Threads(u32),
    #[error("{lds} bytes of LDS: a workgroup of {target} may use {most}")]
    Lds { target: &'static str, lds: u32, most: u32 },
    #[error("{0} vector registers: a wave of {1} has at most {2}")]
    Registers(u32, &'static str, u32),
    #[error("wavefronts of {0}: {1} does not have them")]
    Wavefront(u32, &'static str),
}

fn up(x: u32, granule: u32) -> u32 {
    x.div_ceil(granule) * granule
}

/// The vector registers that count against the file.
fn vector_registers(t: &Target, vgprs: u32, agprs: u32) -> u32 {
    match t.agprs {
        Agprs::Unified if agprs > 0 => up(vgprs, 4).saturating_add(agprs),
        Agprs::Separate => vgprs.max(agprs),
        _ => vgprs,
    }
}

/// Waves of a SIMD that scalar registers allow on gfx9 (LLVM's table).
fn waves_by_sgprs(t: &Target, sgprs: u32) -> u32 {
    match sgprs {
        _ if t.sgprs == 0 => u32::MAX,
        0..=80 => 10,
        81..=88 => 9,
        89..=100 => 8,
        _ => 7,
    }
}

/// Registers of a SIMD and the granule at a width: half as many for 64 lanes where 32 are the default.
fn register_file(t: &Target, wavefront: u32) -> (u32, u32) {
    let halves = (wavefront / t.wavefront).max(1);
    (t.vgprs / halves, t.vgpr_granule / halves)
}

fn waves_by_registers(t: &Target, u: &Usage) -> (u32, u32) {
    let (total, granule) = register_file(t, u.wavefront);
    let given = up(vector_registers(t, u.vgprs, u.agprs).max(1), granule);
    let waves = (total / given).min(waves_by_sgprs(t, u.sgprs)).min(t.waves_per_simd);
    (given, waves)
}

/// The occupancy of a kernel, or why it cannot be launched.
pub fn of(t: &Target, u: &Usage) -> Result<Occupancy, CannotRun> {
    if !(1..=1024).contains(&u.threads) {
        return Err(CannotRun::Threads(u.threads));
    }
    if !t.wavefronts.contains(&u.wavefront) {
        return Err(CannotRun::Wavefront(u.wavefront, t.name));
    }
    let per_file = if t.agprs == Agprs::Unified {
        t.vgprs_per_wave / 2
    } else {
        t.vgprs_per_wave
    };
    for (count, most) in [
        (u.vgprs, if u.agprs > 0 { per_file } else { t.vgprs_per_wave }),
        (u.agprs, if t.agprs == Agprs::None { 0 } else { per_file }),
    ] {
        if count > most {
            return Err(CannotRun::Registers(count, t.name, most));
        }
    }
    if u.lds > t.lds_bytes {
        return Err(CannotRun::Lds {
            target: t.name,
            lds: u.lds,
            most: t.lds_bytes,
        });
    }
    let parts = if u.cu_mode { t.cus_per_pool } else { 1 };
    let (simds, pool, barriers) = (t.simds / parts, t.lds_pool / parts, t.barriers / parts);
    let waves = u.threads.div_ceil(u.wavefront);
    let (vgprs_given, waves_by_registers) = waves_by_registers(t, u);
    let lds_given = up(u.lds, t.lds_granule);
    let mut limits = vec![(Limit::Registers, waves_by_registers * simds / waves)];
    if u.lds > 0 {
        limits.push((Limit::Lds, pool / lds_given));
    }
    if waves > 1 {
        limits.push((Limit::Barriers, barriers));
    }
    limits.push((Limit::WaveSlots, t.waves_per_simd * simds / waves));
    let workgroups = limits.iter().map(|l| l.1).min().unwrap_or(0);
    Ok(Occupancy {
        waves_per_workgroup: waves,
        vgprs_given,
        lds_given,
        waves_by_registers,
        limits,
        workgroups,
        waves_per_simd: workgroups * waves / simds,
    })
}

/// The change of one resource that would let one more workgroup in: what to go below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub limit: Limit,
    /// The most of that resource with which one more workgroup fits; none where the resource cannot be the way.
    pub at_most: Option<u32>,
}

/// For each limiting resource what one more workgroup needs. Every step must be taken where there are several.
pub fn next_step(t: &Target, u: &Usage, o: &Occupancy) -> Vec<Step> {
    let wanted = o.workgroups + 1;
    let parts = if u.cu_mode { t.cus_per_pool } else { 1 };
    let step = |limit| Step {
        limit,
        at_most: match limit {
            Limit::Lds => {
                let each = t.lds_pool / parts / wanted / t.lds_granule * t.lds_granule;
                (each > 0).then_some(each)
            }
            Limit::Registers => {
                let waves = (wanted * o.waves_per_workgroup).div_ceil(t.simds / parts);
                let (total, granule) = register_file(t, u.wavefront);
                let fits = waves <= t.waves_per_simd && waves <= waves_by_sgprs(t, u.sgprs);
                fits.then(|| total / waves / granule * granule)
            }
            Limit::Barriers | Limit::WaveSlots => None,
        },
    };
    o.limited_by().into_iter().map(step).collect()
}

/// The occupancy in LLVM's remark: waves of a SIMD for the best block size of `least..=most` threads, LDS counted without
/// its granule (`AMDGPUSubtarget::getOccupancyWithWorkGroupSizes` of LLVM 22).
pub fn compiler(t: &Target, u: &Usage, least: u32, most: u32) -> u32 {
    let slots = t.waves_per_simd * t.simds;
    let of_size = |threads: u32| {
        let waves = threads.max(1).div_ceil(u.wavefront);
        let groups = (t.lds_pool / u.lds.max(1)).min(if waves == 1 {
            slots
        } else {
            (slots / waves).min(t.barriers)
        });
        (waves, groups)
    };
    if t.lds_pool < u.lds {
        return 1;
    }
    let (few_waves, most_groups) = of_size(least);
    let (many_waves, least_groups) = of_size(most);
    let (small, large) = (few_waves * most_groups, many_waves * least_groups);
    let mut waves = small.max(large);
    if large < small {
        // A larger block than the least may fill the slots that are left over.
        let left = (slots - small) / most_groups;
        waves += most_groups * left.min(many_waves - few_waves);
    }
    let by_block = waves.div_ceil(t.simds).clamp(1, t.waves_per_simd);
    by_block.min(waves_by_registers(t, u).1).max(1)
}
