//! Attributes and storage words of declarations that HIP spells otherwise or lacks.

use super::context::{Context, State};
use crate::diagnostics::{codes, Diagnostic, Severity};
use crate::edit::Edit;
use crate::ledger::Fate;
use crate::syntax::{args, Source};

/// Deals with `__launch_bounds__` of three arguments, `__grid_constant__`, `__maxnreg__` and cluster attributes.
pub fn run(cx: &mut Context) {
    let src = cx.src;
    for i in 0..src.tokens.len() {
        if !src.tokens[i].is_ident() || !matches!(cx.state(i), State::Active | State::Dead) {
            continue;
        }
        match src.text(i) {
            b"__launch_bounds__" => launch_bounds(cx, i),
            b"__grid_constant__" => {
                cx.note_name(i, "__grid_constant__", "device", Fate::Rewritten, None);
                cx.remove_word(i);
            }
            // nvcc passes over it; clang refuses it from C++17 on. In C it stays.
            b"register" if next_is_ident(src, i) && cx.path.extension().is_none_or(|e| e != "c") => cx.remove_word(i),
            b"__cluster_dims__" => {
                cx.note_name(i, "__cluster_dims__", "device", Fate::Reported, None);
                let d = Diagnostic::new(
                    &codes::UNSUPPORTED_API,
                    src.span(i),
                    "`__cluster_dims__`: AMD GPUs have no thread-block clusters",
                )
                .help("redesign for one workgroup per compute unit: a workgroup's LDS is not visible to another");
                cx.report(i, d);
            }
            _ => {}
        }
    }
}

fn next_is_ident(src: &Source, i: usize) -> bool {
    src.tokens.get(i + 1).is_some_and(|t| t.is_ident())
}

fn launch_bounds(cx: &mut Context, i: usize) {
    let src = cx.src;
    let Some(close) = src.brackets.partner(i + 1).filter(|_| src.tokens[i + 1].is(b'(')) else {
        return;
    };
    let arguments = args::split(src, i + 2..close);
    if arguments.len() < 3 {
        return;
    }
    if cx.ignored(&codes::CHANGED_CALL, &src.span(i)) {
        return cx.note_name(i, "__launch_bounds__", "device", Fate::Ignored, None);
    }
    cx.note_name(i, "__launch_bounds__", "device", Fate::Rewritten, None);
    let from = src.span(arguments[1].end - 1).end;
    cx.edits.push(Edit::replace(from..src.span(close).start, ""));
    let d = Diagnostic::new(
        &codes::CHANGED_CALL,
        src.span(i),
        "`__launch_bounds__`: the third argument (blocks per cluster) was removed",
    )
    .severity(Severity::Note)
    .note("AMD GPUs have no thread-block clusters; HIP's macro takes two arguments");
    cx.report(i, d);
}
