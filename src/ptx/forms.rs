//! The forms of `rules/ptx.toml`, compiled in: which instructions translate, and to what.

use std::collections::BTreeMap;

/// A part of a mnemonic between dots.
#[derive(Debug)]
pub enum Part {
    /// One of these words; may be missing where the flag says so.
    Word(&'static [&'static str], bool),
    /// A named choice: what PTX writes, and what stands for it in the C++ text. An empty word: may be missing.
    Variable(char, &'static [(&'static str, &'static str)]),
}

/// One form of an instruction.
#[derive(Debug)]
pub struct Form {
    /// After the opcode.
    pub pattern: &'static [Part],
    /// Types of the destinations: a PTX type, a variable, `vec:TYPE`, or two types for `d|p`.
    pub gives: &'static [&'static str],
    /// Types of the sources: as above, `mem` for an address in brackets, `imm` for a constant; `?` at the end: may be missing.
    pub takes: &'static [&'static str],
    /// C++ with `$1` (a source), `$d` (the destinations), `$T` (a variable), `$cc` (the carry), `@` for `tranship::ptx::`.
    pub to: &'static str,
    pub unit: &'static str,
    /// What a user should know.
    pub note: Option<&'static str>,
    pub reads_carry: bool,
    pub writes_carry: bool,
}

/// A special register.
#[derive(Debug)]
pub struct Special {
    /// PTX type.
    pub kind: &'static str,
    pub to: &'static str,
    pub unit: Option<&'static str>,
    pub note: Option<&'static str>,
}

/// What the variables of a form stand for.
pub type Bindings = BTreeMap<char, (&'static str, &'static str)>;

/// What to do where nothing more special is known.
pub const ADVICE_FOR_ALL: &str =
    "write it in C++ for AMD; keep the statement under `#if !defined(__HIP_PLATFORM_AMD__)` if the source stays common";

include!(concat!(env!("OUT_DIR"), "/ptx.rs"));

/// The forms that a mnemonic fits, each with its variables.
pub fn matching(mnemonic: &str) -> Vec<(&'static Form, Bindings)> {
    let mut words = mnemonic.split('.');
    let opcode = words.next().unwrap_or("");
    let words: Vec<&str> = words.collect();
    let Some(forms) = FORMS.get(opcode) else {
        return Vec::new();
    };
    forms
        .iter()
        .filter_map(|f| {
            let mut b = Bindings::new();
            fits(f.pattern, &words, &mut b).then_some((f, b))
        })
        .collect()
}

/// Whether a mnemonic's opcode is one of PTX's that the table knows or has advice about.
pub fn is_known(mnemonic: &str) -> bool {
    FORMS.contains_key(mnemonic.split('.').next().unwrap_or("")) || advice(mnemonic).is_some()
}

fn fits(pattern: &'static [Part], words: &[&str], bound: &mut Bindings) -> bool {
    let Some((part, rest)) = pattern.split_first() else {
        return words.is_empty();
    };
    let first = words.first();
    match part {
        Part::Word(any, optional) => {
            (first.is_some_and(|w| any.contains(w)) && fits(rest, &words[1..], bound))
                || (*optional && fits(rest, words, bound))
        }
        Part::Variable(name, values) => {
            // A letter that comes twice stands for one and the same word.
            if let Some(&earlier) = bound.get(name) {
                return first == Some(&earlier.0) && fits(rest, &words[1..], bound);
            }
            if let Some(&value) = first.and_then(|w| values.iter().find(|v| v.0 == *w)) {
                bound.insert(*name, value);
                if fits(rest, &words[1..], bound) {
                    return true;
                }
                bound.remove(name);
            }
            match values.iter().find(|v| v.0.is_empty()) {
                Some(&value) => {
                    bound.insert(*name, value);
                    let fit = fits(rest, words, bound);
                    if !fit {
                        bound.remove(name);
                    }
                    fit
                }
                None => false,
            }
        }
    }
}

/// What to do about an instruction without a translation.
pub fn advice(mnemonic: &str) -> Option<&'static str> {
    let begins = |prefix: &str| {
        mnemonic
            .strip_prefix(prefix)
            .is_some_and(|r| r.is_empty() || r.starts_with(['.', ':']))
    };
    ADVICE.iter().find(|(k, _)| begins(k)).map(|(_, v)| *v)
}

/// AMD's matrix instruction that does the work of an `mma`, `wmma` or `wgmma` of these types.
pub fn matrix(mnemonic: &str) -> Option<&'static str> {
    MATRIX.iter().find(|(k, _)| mnemonic.contains(k)).map(|(_, v)| *v)
}
