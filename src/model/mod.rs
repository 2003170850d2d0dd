//! What the passes need to know of the whole program, gathered file by file before translation.

use crate::analysis::warp;
use crate::rules::{self, GUARDS, NAMES, SHIM_NAMES};
use crate::syntax::directive::{self, DirectiveKind};
use crate::syntax::guard;
use crate::syntax::lex::Kind;
use crate::syntax::Source;
use crate::translate::{header_of, resolve};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// Facts over all files of a run.
#[derive(Debug, Default)]
pub struct Project {
    files: BTreeMap<PathBuf, FileFacts>,
    /// Paths by file name, each list sorted.
    by_name: HashMap<OsString, Vec<PathBuf>>,
    /// Found when first asked.
    programs: OnceLock<Programs>,
}

/// The programs of a project: all files that includes tie together, either way, are one.
#[derive(Debug, Default)]
struct Programs {
    all: Vec<Program>,
    /// The program of each file, in `all`.
    of: HashMap<PathBuf, usize>,
}

/// What is known of a program as a whole.
#[derive(Debug, Default)]
struct Program {
    tiles: bool,
    warp: warp::Facts,
}

/// Facts of one file, to be merged into a [`Project`]; gathered in parallel.
#[derive(Debug, Default)]
pub struct FileFacts {
    /// Whether the file mentions CUDA at all; if not, translating it changes nothing.
    pub cuda: bool,
    /// Whether it uses CUDA without including the runtime itself, as files under nvcc may.
    bare: bool,
    /// Whether it uses CUDA at all, be it under a condition.
    uses: bool,
    /// Whether it includes the runtime's header itself.
    brings_runtime: bool,
    /// Functions and macros that the file defines under names of the rules.
    declared: BTreeSet<String>,
    /// What it includes, as written.
    includes: Vec<String>,
    /// Uses cooperative groups below the block: tiles, coalesced groups, reductions.
    tiles: bool,
    /// What it says about warps to other files.
    warp: warp::Facts,
}

/// Words of cooperative groups whose meaning hangs on the wavefront, or that HIP's header lacks.
const TILE_WORDS: [&str; 9] = [
    "tiled_partition",
    "thread_block_tile",
    "coalesced_threads",
    "coalesced_group",
    "labeled_partition",
    "binary_partition",
    "invoke_one",
    "this_thread",
    "memcpy_async",
];

impl FileFacts {
    /// Reads a file's facts from its bytes. Cannot fail.
    pub fn gather(path: &Path, bytes: &[u8]) -> FileFacts {
        let src = Source::new(bytes);
        let mut facts = FileFacts::default();
        let guarded = guarded(&src);
        let mut includes_runtime = false;
        for d in &src.directives {
            if let Some((path, _)) = header_of(&src, d) {
                facts.includes.push(path.to_string());
                facts.tiles |= path.starts_with("cooperative_groups/");
                if let Some(r) = rules::header(path) {
                    facts.cuda = true;
                    includes_runtime |= r.hip.is_some_and(brings_runtime);
                }
                includes_runtime |= brings_runtime(path);
            }
        }
        let hidden = guard::conditional(&src);
        let (mut uses, mut open_uses, mut groups, mut tiles) = (false, false, false, false);
        for i in 0..src.tokens.len() {
            let used = uses;
            uses = false;
            match src.tokens[i].kind {
                Kind::LaunchOpen => uses = true,
                Kind::Ident => {
                    let word = src.str(i);
                    groups |= word == "cooperative_groups";
                    tiles |= TILE_WORDS.contains(&word);
                    if matches!(
                        word,
                        "__global__" | "__device__" | "__shared__" | "__constant__" | "asm" | "__launch_bounds__"
                    ) {
                        uses = true;
                    } else if !rules::may_know(word) {
                        // Nothing of CUDA's.
                    } else if GUARDS.contains_key(word) {
                        facts.cuda = true;
                    } else if NAMES.contains_key(word) || SHIM_NAMES.contains_key(word) {
                        uses = !resolve::is_plain(word);
                        if !guarded.iter().any(|g| g.contains(&i)) && defines(&src, i) {
                            facts.declared.insert(word.to_string());
                        }
                    }
                }
                Kind::Paste => uses = true,
                _ => {}
            }
            open_uses = open_uses || uses && !hidden.iter().any(|h| h.contains(&i));
            uses |= used;
        }
        let implicit = compiled_as_cuda(path, &src);
        uses |= implicit;
        facts.cuda |= uses;
        facts.tiles |= groups && tiles;
        facts.brings_runtime = includes_runtime;
        facts.uses = uses;
        facts.bare = (open_uses || implicit) && !includes_runtime;
        facts.warp = warp::facts(&src);
        facts
    }
}

/// Token ranges under a condition on CUDA's or HIP's macros: what is defined there may not be on AMD.
fn guarded(src: &Source) -> Vec<std::ops::Range<usize>> {
    directive::groups(&src.directives, src.bytes.len(), src.tokens.len())
        .iter()
        .filter(|g| {
            g.arms.iter().any(|a| {
                let d = &src.directives[a.directive];
                d.tokens.clone().any(|t| GUARDS.contains_key(src.str(t)))
            })
        })
        .flat_map(|g| g.arms.iter().map(|a| a.tokens.clone()))
        .collect()
}

/// Whether the token names a function that is defined here, or a macro with a body of its own.
fn defines(src: &Source, i: usize) -> bool {
    if let Some(d) = src.directive_of(i) {
        // `#define cudaX hipX` is a compatibility header's line, not a definition of the user's own.
        let alias = d.params.is_none() && d.body.len() == 1 && src.tokens[d.body.start].is_ident();
        return d.kind == DirectiveKind::Define && d.name == Some(i) && !d.body.is_empty() && !alias;
    }
    if !resolve::looks_declared(src, i) || !src.tokens.get(i + 1).is_some_and(|t| t.is(b'(')) {
        return false;
    }
    let Some(close) = src.brackets.partner(i + 1) else {
        return false;
    };
    src.tokens.get(close + 1).is_some_and(|t| t.is(b'{')) && at_file_scope(src, i)
}

/// Whether no brace but those of namespaces and `extern "C"` is open at a token.
fn at_file_scope(src: &Source, token: usize) -> bool {
    let mut i = 0;
    while i < token {
        if src.tokens[i].is(b'{') && !src.tokens[i].in_directive {
            match src.brackets.partner(i) {
                Some(p) if p < token => i = p,
                Some(_) => {
                    let named = i >= 2 && (src.text(i - 2) == b"namespace" || src.text(i - 1) == b"namespace");
                    let linkage = i >= 1 && src.tokens[i - 1].kind == Kind::Str;
                    if !named && !linkage {
                        return false;
                    }
                }
                None => return false,
            }
        }
        i += 1;
    }
    true
}

impl Project {
    /// Takes in one file's facts. The result does not depend on the order of calls.
    /// `path` is relative to the project's root.
    pub fn add(&mut self, path: &Path, facts: FileFacts) {
        if let Some(name) = path.file_name() {
            let paths = self.by_name.entry(name.to_os_string()).or_default();
            if let Err(at) = paths.binary_search_by(|p| p.as_path().cmp(path)) {
                paths.insert(at, path.to_path_buf());
            }
        }
        self.files.insert(path.to_path_buf(), facts);
    }

    /// The functions and macros under CUDA names that a file and what it includes define themselves.
    pub fn declared(&self, path: &Path) -> BTreeSet<&str> {
        let mut out = BTreeSet::new();
        let mut seen: BTreeSet<&Path> = BTreeSet::new();
        let mut todo: Vec<(&Path, &FileFacts)> = self
            .files
            .get_key_value(path)
            .map(|(p, f)| (p.as_path(), f))
            .into_iter()
            .collect();
        while let Some((p, f)) = todo.pop() {
            if seen.insert(p) {
                out.extend(f.declared.iter().map(String::as_str));
                todo.extend(f.includes.iter().filter_map(|i| self.file(p, i)));
            }
        }
        out
    }

    /// Whether the program that a file belongs to uses cooperative groups below the block. Files that includes tie
    /// together must agree on the types they share.
    pub fn uses_tiles(&self, path: &Path) -> bool {
        self.program(path).is_some_and(|p| p.tiles)
    }

    /// What is known about warps in a file, and in all files that includes tie to it.
    pub(crate) fn warp_facts(&self, path: &Path) -> (&warp::Facts, &warp::Facts) {
        static NONE: OnceLock<warp::Facts> = OnceLock::new();
        let none = NONE.get_or_init(warp::Facts::default);
        let own = self.files.get(path).map_or(none, |f| &f.warp);
        (own, self.program(path).map_or(none, |p| &p.warp))
    }

    /// The program that a file belongs to.
    fn program(&self, path: &Path) -> Option<&Program> {
        let programs = self.programs.get_or_init(|| self.find_programs());
        programs.of.get(path).map(|&i| &programs.all[i])
    }

    fn find_programs(&self) -> Programs {
        let mut ties: HashMap<&Path, Vec<&Path>> = HashMap::new();
        for (p, f) in &self.files {
            for (q, _) in f.includes.iter().filter_map(|i| self.file(p, i)) {
                ties.entry(p).or_default().push(q);
                ties.entry(q).or_default().push(p);
            }
        }
        let mut found = Programs::default();
        for start in self.files.keys() {
            if found.of.contains_key(start) {
                continue;
            }
            let mut members = BTreeSet::new();
            let mut todo: Vec<&Path> = vec![start];
            while let Some(p) = todo.pop() {
                if members.insert(p) {
                    todo.extend(ties.get(p).into_iter().flatten());
                }
            }
            let mut program = Program::default();
            for p in members {
                if let Some(f) = self.files.get(p) {
                    program.tiles |= f.tiles;
                    program.warp.merge(&f.warp);
                }
                found.of.insert(p.to_path_buf(), found.all.len());
            }
            found.all.push(program);
        }
        found
    }

    /// Whether an include in the file at `from` names a file of the project.
    pub fn has_file(&self, from: &Path, include: &str) -> bool {
        self.file(from, include).is_some()
    }

    /// The file that an include means: the one beside the including file, else, since include directories are not
    /// known, the one whose path ends so and that shares most of its path with the including file.
    fn file(&self, from: &Path, include: &str) -> Option<(&Path, &FileFacts)> {
        let beside = normal(&from.parent().unwrap_or(Path::new("")).join(include));
        let wanted = normal(Path::new(include));
        let path = if self.files.contains_key(&beside) {
            beside
        } else {
            let shared = |p: &PathBuf| {
                p.components()
                    .zip(from.components())
                    .take_while(|(a, b)| a == b)
                    .count()
            };
            let candidates = self
                .by_name
                .get(wanted.file_name()?)?
                .iter()
                .filter(|p| p.ends_with(&wanted));
            candidates
                .max_by_key(|p| (shared(p), std::cmp::Reverse(p.as_os_str().len())))?
                .clone()
        };
        self.files.get_key_value(&path).map(|(p, f)| (p.as_path(), f))
    }

    /// What the include at a token does first, if it names a file of the project: bring the runtime's header, by
    /// itself or by what it includes (true), or use CUDA before anything brings it (false).
    pub fn brings_runtime(&self, from: &Path, src: &Source, token: usize) -> Option<bool> {
        let (header, _) = src.directive_of(token).and_then(|d| header_of(src, d))?;
        let (path, facts) = self.file(from, header)?;
        self.does_first(path, facts, &mut BTreeSet::new())
    }

    fn does_first<'a>(&'a self, path: &'a Path, facts: &'a FileFacts, seen: &mut BTreeSet<&'a Path>) -> Option<bool> {
        // A file that uses CUDA bare gets the include at its top when it is translated.
        if facts.bare {
            return Some(true);
        }
        if !seen.insert(path) {
            return None;
        }
        for include in &facts.includes {
            let header = rules::header(include).and_then(|r| r.hip).unwrap_or(include);
            let first = match self.file(path, include) {
                Some((p, f)) => self.does_first(p, f, seen),
                None => brings_runtime(header).then_some(true),
            };
            if first.is_some() {
                return first;
            }
        }
        facts.uses.then_some(false)
    }
}

/// Whether nvcc compiles the file as CUDA by its name alone, so that it includes the runtime unasked. A file that speaks
/// HIP already is none of nvcc's.
pub fn compiled_as_cuda(path: &Path, src: &Source) -> bool {
    let speaks_hip = |i: usize| match src.tokens[i].kind {
        Kind::Ident => src
            .text(i)
            .strip_prefix(b"hip")
            .is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_uppercase)),
        Kind::HeaderName | Kind::Str => src.tokens[i].in_directive && src.text(i)[1..].starts_with(b"hip"),
        _ => false,
    };
    path.extension().is_some_and(|e| e == "cu") && !src.tokens.is_empty() && !(0..src.tokens.len()).any(speaks_hip)
}

/// Whether a HIP header defines all that nvcc's automatic include does.
pub fn brings_runtime(hip_header: &str) -> bool {
    matches!(
        hip_header,
        "hip/hip_runtime.h" | "hip/hip_cooperative_groups.h" | "hipcub/hipcub.hpp"
    ) || hip_header.starts_with("hiprand/hiprand_kernel")
        || is_shim(hip_header)
}

/// Whether an include names a generated shim header; each includes the runtime.
pub fn is_shim(path: &str) -> bool {
    path.strip_suffix(".hpp")
        .is_some_and(|p| p.starts_with("tranship/") || p.contains("/tranship/"))
}

/// A path without `.` and `..` where they can be resolved by the text.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for c in path.components() {
        match c {
            Component::CurDir => {}
            Component::ParentDir => {
                if !out.pop() {
                    out.push("..");
                }
            }
            c => out.push(c),
        }
    }
    out
}
