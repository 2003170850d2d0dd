//! Translation of one file: passes make edits, findings and ledger lines; none knows another.
//!
//! The first pass to write a ledger line for a name has dealt with it; later ones pass it over. So the special comes
//! before the general: guards, calls, launches, attributes, then plain renames.

mod attributes;
mod calls;
pub(crate) mod context;
mod device_pointers;
mod dim3;
mod groups;
mod guards;
mod includes;
mod launches;
mod members;
mod names;
mod overloads;
mod paste;
mod ptx;
pub(crate) mod resolve;
mod strings;
#[cfg(test)]
mod tests;
mod typed;
mod vector_operators;
mod warp_size;

use crate::analysis;
use crate::diagnostics::{codes, Diagnostic};
use crate::edit;
use crate::ledger::Occurrence;
use crate::model::Project;
use crate::options::Options;
use crate::rules;
use crate::syntax::Source;
use context::Context;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

pub(crate) use includes::header as header_of;

/// What one file became.
#[derive(Debug, Default)]
pub struct Translation {
    /// The new bytes; `None` when nothing changes.
    pub text: Option<Vec<u8>>,
    /// Findings in the order of their place in the input.
    pub diagnostics: Vec<Diagnostic>,
    /// Every CUDA name met, in order.
    pub ledger: Vec<Occurrence>,
    /// Units of `rules/shims/` that the output includes as `tranship/<unit>.hpp`, with their needs.
    pub shims: BTreeSet<&'static str>,
}

/// Translates one file of the project. `path` is relative to the project's root and names the file in
/// [`Project`]; it decides the relative path by which shim headers are included. Cannot fail: what cannot be
/// translated is a finding.
pub fn translate(path: &Path, bytes: &[u8], project: &Project, options: &Options) -> Translation {
    let src = Source::new(bytes);
    let mut cx = Context::new(&src, path, project, options);
    guards::run(&mut cx, &|arm| portable(&src, arm, options));
    let met = resolve::run(&mut cx);
    calls::run(&mut cx, &met);
    launches::run(&mut cx);
    attributes::run(&mut cx);
    vector_operators::run(&mut cx);
    overloads::run(&mut cx);
    device_pointers::run(&mut cx);
    dim3::run(&mut cx);
    typed::run(&mut cx, &met);
    groups::run(&mut cx, &met);
    warp_size::run(&mut cx, &met);
    names::run(&mut cx, &met);
    members::run(&mut cx, &met);
    paste::run(&mut cx);
    ptx::run(&mut cx);
    strings::run(&mut cx, &met);
    includes::run(&mut cx, &met);
    analysis::run(&mut cx, &met);
    includes::shims(&mut cx);

    let (edits, mut diagnostics, ledger, shims) = cx.finish();
    let text = match edit::apply(bytes, edits) {
        Ok(text) => (text != bytes).then_some(text),
        Err(overlap) => {
            // Never a corrupted file: without a sound set of edits the input stays.
            let span = overlap.0.start..overlap.1.end.min(bytes.len());
            diagnostics.push(
                Diagnostic::new(
                    &codes::EDIT_OVERLAP,
                    span,
                    format!("the file was left as it is: {overlap}"),
                )
                .help("this is a fault of tranship; please report it with this file"),
            );
            None
        }
    };
    diagnostics.sort_by_key(|d| (d.span.start, d.code.code));
    Translation {
        text,
        diagnostics,
        ledger,
        shims,
    }
}

/// Whether AMD can compile what a token range holds: no PTX, and no name that HIP and the shims lack.
fn portable(src: &Source, arm: &Range<usize>, options: &Options) -> bool {
    arm.clone().all(|i| {
        if !src.tokens[i].is_ident() {
            return true;
        }
        let name = src.str(i);
        let lacking = rules::name(name).is_some_and(|r| r.target(options.rocm).is_none())
            && rules::shim(name, options).is_none()
            && !rules::CALLS.contains_key(name);
        let namespace_lacking = matches!(name, "nvcuda");
        !lacking && !namespace_lacking && ptx::at(src, i).is_none()
    })
}
