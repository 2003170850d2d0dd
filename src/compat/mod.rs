//! Single source: a header that lets untouched CUDA sources build for AMD.
//!
//! What `translate` would do to each file tells what its names need. A name that only becomes another is a macro;
//! CUDA's headers become forwarding headers; what a macro cannot do is a finding.

use crate::diagnostics::{codes, Diagnostic, Severity};
use crate::ledger::{Fate, Occurrence};
use crate::options::Options;
use crate::rules;
use crate::syntax::directive::DirectiveKind;
use crate::syntax::lex::Kind;
use crate::syntax::Source;
use crate::translate::header_of;
use crate::translate::Translation;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

include!(concat!(env!("OUT_DIR"), "/compat.rs"));

/// What one file asks of the header, kept until all files are known.
#[derive(Debug, Default)]
pub struct Wants {
    ledger: Vec<Occurrence>,
    diagnostics: Vec<Diagnostic>,
    shims: BTreeSet<&'static str>,
    /// Headers of libraries that keep their names.
    kept: BTreeSet<String>,
    /// Names of [`MEMBERS`] that the file has as members.
    members: BTreeSet<&'static str>,
}

impl Wants {
    /// From a file and what translating it came to.
    pub fn of(bytes: &[u8], translation: Translation) -> Wants {
        let src = Source::new(bytes);
        let kept = src
            .directives
            .iter()
            .filter(|d| d.kind == DirectiveKind::Include)
            .filter_map(|d| header_of(&src, d))
            .map(|(path, _)| path.to_string())
            .filter(|p| {
                ["thrust/", "hip/", "hipcub/", "rocprim/"]
                    .iter()
                    .any(|b| p.starts_with(b))
            })
            .collect();
        let members = (0..src.tokens.len())
            .filter(|&i| src.tokens[i].kind == Kind::Arrow || src.tokens[i].is(b'.'))
            .filter_map(|i| src.tokens.get(i + 1).and_then(|_| MEMBERS.get_key(src.str(i + 1))))
            .copied()
            .collect();
        Wants {
            members,
            ledger: translation.ledger,
            diagnostics: translation.diagnostics,
            shims: translation.shims,
            kept,
        }
    }
}

/// The header and all beside it.
#[derive(Debug)]
pub struct Compat {
    /// Texts by path below the output folder: `tranship/compat.hpp`, and a header in the place of each of CUDA's.
    pub files: BTreeMap<PathBuf, String>,
    /// Shim units that the header includes.
    pub shims: BTreeSet<&'static str>,
    /// What no header can fix, for each file in the order given.
    pub findings: Vec<Vec<Diagnostic>>,
}

/// How the header deals with a name.
enum Cure {
    /// Nothing is needed.
    None,
    /// `#define name text`
    Macro(String),
    /// `namespace name = text;`
    Alias(String, String),
    /// A header in CUDA's place.
    Header,
    /// A person must, for this reason.
    Manual(&'static str),
}

/// Makes the header for all files of a project.
pub fn header(wants: &[Wants], options: &Options) -> Compat {
    let members: BTreeSet<&str> = wants
        .iter()
        .flat_map(|w| &w.ledger)
        .filter(|o| o.fate == Fate::Ignored)
        .map(|o| o.name.as_str())
        .filter(|n| MEMBERS.contains_key(n))
        .chain(wants.iter().flat_map(|w| w.members.iter().copied()))
        .collect();
    let mut macros: BTreeMap<&str, String> = BTreeMap::new();
    let mut aliases: BTreeMap<String, String> = BTreeMap::new();
    let mut headers: BTreeSet<String> = BTreeSet::new();
    let mut forwards: BTreeSet<&str> = BTreeSet::new();
    let mut shims: BTreeSet<&'static str> = BTreeSet::new();
    for w in wants {
        headers.extend(w.kept.iter().cloned());
        for o in &w.ledger {
            match cure(o, &members) {
                Cure::Macro(text) => {
                    if let Some(unit) = unit_of(o, &text) {
                        shims.insert(unit);
                    }
                    macros.insert(&o.name, text);
                }
                Cure::Alias(name, text) => {
                    aliases.insert(name, text);
                }
                Cure::Header => {
                    forwards.insert(&o.name);
                    match o.becomes.as_deref().filter(|b| b.contains('.') || b.contains('/')) {
                        Some(shim) if shim.starts_with("tranship/") => {
                            shims.extend(shim_of(shim).map(|u| u.name));
                        }
                        Some(hip) => {
                            headers.insert(hip.to_string());
                        }
                        None => {}
                    }
                }
                Cure::None | Cure::Manual(_) => {}
            }
        }
        // A unit that serves no name of its own comes with the one it serves.
        shims.extend(w.shims.iter().filter(|u| **u == "half_math"));
    }
    let findings = wants.iter().map(|w| findings(w, &members)).collect();
    let mut files = BTreeMap::new();
    let text = text(&macros, &aliases, &headers, &shims, options);
    files.insert(PathBuf::from("tranship/compat.hpp"), text);
    for path in forwards {
        let up = "../".repeat(path.matches('/').count());
        files.insert(
            PathBuf::from(path),
            format!("// In the place of CUDA's <{path}>.\n#pragma once\n#include \"{up}tranship/compat.hpp\"\n"),
        );
    }
    // A source that nvcc compiles may name no header; one that names the runtime's must find it.
    files.entry(PathBuf::from("cuda_runtime.h")).or_insert_with(|| {
        "// In the place of CUDA's <cuda_runtime.h>.\n#pragma once\n#include \"tranship/compat.hpp\"\n".to_string()
    });
    Compat { files, shims, findings }
}

fn shim_of(path: &str) -> Option<&'static crate::shims::Unit> {
    crate::shims::unit(path.strip_prefix("tranship/")?.strip_suffix(".hpp")?)
}

/// The unit that a macro's text needs.
fn unit_of(o: &Occurrence, text: &str) -> Option<&'static str> {
    for (space, unit) in [
        ("tranship::compat::", "compat_calls"),
        ("tranship::compat_rtc::", "compat_rtc"),
    ] {
        if text.starts_with(space) {
            return Some(unit);
        }
    }
    rules::SHIM_NAMES
        .get(&o.name)
        .or_else(|| rules::SHIM_NAMES.get(root(&o.name)))
        .filter(|_| text.starts_with("tranship::"))
        .map(|s| s.unit)
}

fn root(name: &str) -> &str {
    name.trim_start_matches("::").split("::").next().unwrap_or(name)
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn cure(o: &Occurrence, members: &BTreeSet<&str>) -> Cure {
    let becomes = o.becomes.as_deref();
    if rules::header(&o.name).is_some() || o.name.contains(".h") {
        return match o.fate {
            Fate::Renamed | Fate::Shimmed | Fate::Rewritten => Cure::Header,
            _ => Cure::None,
        };
    }
    if let Some(text) = DEFINES.get(&o.name).filter(|_| o.fate == Fate::Rewritten) {
        return match becomes {
            // An undefined macro is 0 in a condition.
            Some("0") => Cure::None,
            _ => Cure::Macro(text.to_string()),
        };
    }
    match o.fate {
        Fate::Reported if becomes.is_some() => Cure::Manual("it is pasted together by the preprocessor"),
        Fate::Kept | Fate::Ignored | Fate::Inactive | Fate::Reported => Cure::None,
        Fate::Rewritten => match (CALLS.get(&o.name), becomes) {
            (Some(text), _) => Cure::Macro(text.to_string()),
            (None, Some("0")) if o.library == "guards" => Cure::None,
            (None, _) if o.library == "guards" => {
                Cure::Manual("a guard that asks for CUDA's compiler is answered the other way by HIP's")
            }
            (None, _) => Cure::Manual("the arguments of this call change, not its name alone"),
        },
        Fate::Renamed | Fate::Shimmed => {
            let Some(text) = becomes.filter(|b| !b.is_empty()) else {
                return Cure::Manual("what stands here must be rewritten");
            };
            if text == o.name {
                return Cure::None;
            }
            if o.name.contains("::") {
                return qualified(&o.name, text);
            }
            if members.contains(o.name.as_str()) {
                return Cure::Manual("the name is also a member of a struct, and a macro would change that too");
            }
            if text.starts_with("tranship::host::") {
                return Cure::Manual("HIP has the function for device code only: call it by another name in host code");
            }
            if is_word(&o.name) {
                Cure::Macro(text.to_string())
            } else {
                Cure::Manual("the name is made of several words")
            }
        }
    }
}

/// `cub::DeviceReduce` -> `hipcub::DeviceReduce`: an alias of the namespace does.
fn qualified(name: &str, text: &str) -> Cure {
    let name = name.trim_start_matches("::");
    if root(name) == "cooperative_groups" {
        // A macro, not an alias: HIP declares the namespace as well.
        return Cure::Macro(text.to_string());
    }
    const NO: Cure = Cure::Manual("the name changes in a way that a namespace alias cannot do");
    let (a, b): (Vec<&str>, Vec<&str>) = (name.split("::").collect(), text.split("::").collect());
    let differ: Vec<usize> = (0..a.len().min(b.len())).filter(|&i| a[i] != b[i]).collect();
    match differ[..] {
        _ if a.len() != b.len() || !a.iter().chain(&b).all(|w| is_word(w)) => NO,
        [] => Cure::None,
        // The last word is no namespace.
        [i] if i + 1 < a.len() => Cure::Alias(a[..=i].join("::"), b[..=i].join("::")),
        _ => NO,
    }
}

/// What a person must do in one file, most of it as `translate` says it.
fn findings(w: &Wants, members: &BTreeSet<&str>) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = w
        .diagnostics
        .iter()
        .filter(|d| d.severity >= Severity::Warning && !d.code.code.starts_with("TSG"))
        .cloned()
        .collect();
    for o in &w.ledger {
        if let Cure::Manual(why) = cure(o, members) {
            let span = o.offset..o.offset + o.name.len();
            let d = Diagnostic::new(
                &codes::NO_HEADER_CAN_FIX,
                span,
                format!("no header can carry this `{}` to AMD: {why}", o.name),
            );
            out.push(d.help("change it under `#if defined(__HIP_PLATFORM_AMD__)`, or use `tranship translate`"));
        }
    }
    out.sort_by_key(|d| (d.span.start, d.code.code));
    out
}

fn text(
    macros: &BTreeMap<&str, String>,
    aliases: &BTreeMap<String, String>,
    headers: &BTreeSet<String>,
    shims: &BTreeSet<&'static str>,
    options: &Options,
) -> String {
    let mut out = format!(
        "// CUDA's names for HIP: only those that the project uses.\n\
         //\n\
         // Compile the untouched sources with: hipcc -x hip -I <this folder's parent> -include tranship/compat.hpp\n\
         // The headers beside `tranship/` stand in the place of CUDA's. Made for ROCm {}.\n#pragma once\n\n",
        options.rocm
    );
    out += "#include <hip/hip_runtime.h>\n";
    for h in headers.iter().filter(|h| *h != "hip/hip_runtime.h") {
        let _ = writeln!(out, "#if __has_include(<{h}>)\n#include <{h}>\n#endif");
    }
    out.push('\n');
    for unit in shims {
        let _ = writeln!(out, "#include \"{unit}.hpp\"");
    }
    if !aliases.is_empty() {
        out.push('\n');
    }
    for (name, text) in aliases {
        let Some((outer, last)) = name.rsplit_once("::") else {
            let _ = writeln!(out, "namespace {text} {{}}\nnamespace {name} = {text};");
            continue;
        };
        let open: String = outer.split("::").map(|o| format!("namespace {o} {{ ")).collect();
        let close = " }".repeat(outer.split("::").count());
        let _ = writeln!(out, "{open}namespace {last} = ::{text};{close}");
    }
    out.push('\n');
    let mut done = BTreeSet::new();
    for (name, text) in macros {
        let (name, text) = match root(name) {
            "cooperative_groups" => ("cooperative_groups", "tranship::cg"),
            _ => (*name, text.as_str()),
        };
        if done.insert(name) {
            let _ = writeln!(out, "#undef {name}\n#define {name} {text}");
        }
    }
    out
}
