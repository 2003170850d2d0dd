//! What compiled kernels take, read from AMD GPU code objects: the metadata note of an ELF file, which clang also packs in
//! offload bundles and in the `.hip_fatbin` section of host programs.

use super::occupancy::Usage;
use super::{Agprs, Target};
use memchr::memmem;
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSection};
use rmpv::Value;

/// A kernel of a code object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The architecture that it was compiled for, without features: `gfx942`.
    pub arch: String,
    /// The symbol's name as the compiler made it.
    pub name: String,
    /// Vector registers a lane; on gfx90a and later AGPRs are counted in.
    pub vgprs: u32,
    /// Accumulation registers a lane.
    pub agprs: u32,
    /// Scalar registers a wave.
    pub sgprs: u32,
    /// Static LDS in bytes.
    pub lds: u32,
    /// Scratch memory of a lane in bytes.
    pub scratch: u32,
    pub vgpr_spills: u32,
    pub sgpr_spills: u32,
    /// Most threads of a workgroup that the kernel was compiled for.
    pub most_threads: u32,
    pub wavefront: u32,
    /// RDNA: whether workgroups spread over both compute units of a WGP.
    pub wgp_mode: bool,
}

impl Kernel {
    /// What a launch of `threads` with `dynamic_lds` bytes more takes.
    pub fn usage(&self, target: &Target, threads: u32, dynamic_lds: u32) -> Usage {
        Usage {
            threads,
            // In a unified file the count is of both kinds already.
            vgprs: self.vgprs,
            agprs: if target.agprs == Agprs::Separate { self.agprs } else { 0 },
            sgprs: self.sgprs,
            lds: self.lds.saturating_add(dynamic_lds),
            wavefront: self.wavefront,
            cu_mode: !self.wgp_mode,
        }
    }
}

/// Why a file holds no kernels that can be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    #[error(
        "no AMD GPU code object: neither an ELF file, nor an offload bundle, nor a program with a .hip_fatbin section"
    )]
    NotOne,
    #[error("a compressed offload bundle: unpack it with clang-offload-bundler --unbundle, or compile with --no-offload-compress")]
    Compressed,
    #[error("not a readable ELF file: {0}")]
    Elf(#[from] object::Error),
    #[error("the metadata note of the code object cannot be read: {0}")]
    Metadata(String),
}

const BUNDLE: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";
const COMPRESSED: &[u8] = b"CCOB";
const EM_AMDGPU: u16 = 224;
const NT_AMDGPU_METADATA: u32 = 32;

/// The kernels of a file, in the file's order.
pub fn kernels(bytes: &[u8]) -> Result<Vec<Kernel>, Unreadable> {
    if bytes.starts_with(COMPRESSED) {
        return Err(Unreadable::Compressed);
    }
    if bytes.starts_with(BUNDLE) {
        return bundles(bytes);
    }
    if !bytes.starts_with(b"\x7fELF") {
        return Err(Unreadable::NotOne);
    }
    let elf = ElfFile64::<Endianness>::parse(bytes)?;
    if elf.elf_header().e_machine(elf.endian()) == EM_AMDGPU {
        return device(&elf, bytes);
    }
    let Some(section) = elf.section_by_name(".hip_fatbin") else {
        return Err(Unreadable::NotOne);
    };
    let data = section.data()?;
    if data.starts_with(COMPRESSED) {
        return Err(Unreadable::Compressed);
    }
    bundles(data)
}

/// The code objects of one bundle or of several that follow each other.
fn bundles(bytes: &[u8]) -> Result<Vec<Kernel>, Unreadable> {
    let mut out = Vec::new();
    for start in memmem::find_iter(bytes, BUNDLE) {
        let bundle = &bytes[start..];
        let mut at = BUNDLE.len();
        let word = |at: &mut usize| -> Option<u64> {
            let w = bundle.get(*at..*at + 8)?;
            *at += 8;
            Some(u64::from_le_bytes(w.try_into().ok()?))
        };
        let count = word(&mut at).unwrap_or(0).min(1024);
        for _ in 0..count {
            let (Some(offset), Some(size), Some(length)) = (word(&mut at), word(&mut at), word(&mut at)) else {
                break;
            };
            at = at.saturating_add(length as usize);
            let part = (offset as usize)
                .checked_add(size as usize)
                .and_then(|end| bundle.get(offset as usize..end));
            if let Some(elf) = part.filter(|p| p.starts_with(b"\x7fELF")) {
                let elf_file = ElfFile64::<Endianness>::parse(elf)?;
                if elf_file.elf_header().e_machine(elf_file.endian()) == EM_AMDGPU {
                    out.extend(device(&elf_file, elf)?);
                }
            }
        }
    }
    Ok(out)
}

fn device(elf: &ElfFile64<Endianness>, bytes: &[u8]) -> Result<Vec<Kernel>, Unreadable> {
    let endian = elf.endian();
    for header in elf.elf_program_headers() {
        let Some(mut notes) = header.notes(endian, bytes)? else {
            continue;
        };
        while let Some(note) = notes.next()? {
            if note.name() == b"AMDGPU" && note.n_type(endian) == NT_AMDGPU_METADATA {
                return metadata(note.desc());
            }
        }
    }
    Err(Unreadable::Metadata("there is none".to_string()))
}

fn metadata(mut bytes: &[u8]) -> Result<Vec<Kernel>, Unreadable> {
    let value = rmpv::decode::read_value(&mut bytes).map_err(|e| Unreadable::Metadata(e.to_string()))?;
    let target = text(&value, "amdhsa.target").unwrap_or_default();
    // `amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-`
    let arch = target.rsplit('-').find(|p| p.starts_with("gfx")).unwrap_or("");
    let arch = arch.split(':').next().unwrap_or("").to_string();
    let Some(kernels) = get(&value, "amdhsa.kernels").and_then(Value::as_array) else {
        return Err(Unreadable::Metadata("no amdhsa.kernels".to_string()));
    };
    let of = |k: &Value| {
        let n = |key: &str| get(k, key).and_then(Value::as_u64).unwrap_or(0) as u32;
        Kernel {
            arch: arch.clone(),
            name: text(k, ".name").unwrap_or_default(),
            vgprs: n(".vgpr_count"),
            agprs: n(".agpr_count"),
            sgprs: n(".sgpr_count"),
            lds: n(".group_segment_fixed_size"),
            scratch: n(".private_segment_fixed_size"),
            vgpr_spills: n(".vgpr_spill_count"),
            sgpr_spills: n(".sgpr_spill_count"),
            most_threads: n(".max_flat_workgroup_size"),
            wavefront: n(".wavefront_size"),
            wgp_mode: n(".workgroup_processor_mode") == 1 || get(k, ".workgroup_processor_mode").is_none(),
        }
    };
    Ok(kernels.iter().map(of).collect())
}

fn get<'v>(map: &'v Value, key: &str) -> Option<&'v Value> {
    let pairs = map.as_map()?;
    pairs.iter().find(|(k, _)| k.as_str() == Some(key)).map(|p| &p.1)
}

fn text(map: &Value, key: &str) -> Option<String> {
    get(map, key)?.as_str().map(str::to_string)
}
