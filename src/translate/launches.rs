//! Kernel launches: chevrons stay (HIP takes them) or become `hipLaunchKernelGGL`; a launch from device code is reported.

use super::context::{Context, State};
use crate::diagnostics::{codes, Diagnostic};
use crate::edit::Piece;
use crate::options::Launch as Form;
use crate::syntax::directive::DirectiveKind;
use crate::syntax::launch::{self, Launch};
use crate::syntax::lex::Kind;
use crate::syntax::overlay::is_cuda_word;
use crate::syntax::{space, Source};
use std::collections::BTreeSet;
use std::ops::Range;

/// Deals with every launch of the file.
pub fn run(cx: &mut Context) {
    let src = cx.src;
    if !src.tokens.iter().any(|t| t.kind == Kind::LaunchOpen) {
        return;
    }
    let device = space::device_bodies(src, false);
    let templates = if cx.options.launch == Form::Ggl {
        template_names(src)
    } else {
        BTreeSet::new()
    };
    for open in (0..src.tokens.len()).filter(|&i| src.tokens[i].kind == Kind::LaunchOpen) {
        let Some(l) = launch::find_at(src, open) else {
            let d = Diagnostic::new(
                &codes::PARTIAL_PARSE,
                src.span(open),
                "this `<<<` opens no launch that could be read",
            )
            .note("no kernel stands before it, or no `>>>` closes it");
            cx.report(open, d);
            continue;
        };
        if !matches!(cx.state(l.open), State::Active | State::Dead) {
            continue;
        }
        if device.iter().any(|b| b.contains(&l.open)) {
            let span = src.span_of(&l.whole).unwrap_or(0..0);
            let d = Diagnostic::new(&codes::DEVICE_SIDE_LAUNCH, span, "kernel launched from device code")
                .note("HIP has no dynamic parallelism")
                .help("launch it from the host, or make its work part of this kernel");
            cx.report(l.open, d);
        } else if cx.options.launch == Form::Ggl {
            ggl(cx, &l, &templates);
        }
    }
}

/// Kernel templates, whose arguments a launch may leave to be deduced, and macros that stand for one with its arguments.
fn template_names<'a>(src: &Source<'a>) -> BTreeSet<&'a [u8]> {
    let mut out = BTreeSet::new();
    for i in 0..src.tokens.len() {
        if src.text(i) != b"template" {
            continue;
        }
        let (mut global, mut j) = (false, i + 1);
        while j < src.tokens.len() && !src.tokens[j].is(b';') && !src.tokens[j].is(b'{') {
            global |= src.text(j) == b"__global__";
            if src.tokens[j].is(b'(') {
                let name = src.text(j - 1);
                if global && src.tokens[j - 1].is_ident() && !is_cuda_word(src.str(j - 1)) {
                    out.insert(name);
                    break;
                }
                j = src.brackets.partner(j).unwrap_or(j);
            }
            j += 1;
        }
    }
    for d in src.directives.iter().filter(|d| d.kind == DirectiveKind::Define) {
        let named = d.name.filter(|_| d.params.is_none());
        let body = &src.tokens[d.body.clone()];
        if let Some(name) =
            named.filter(|_| body.first().is_some_and(|t| t.is_ident()) && body.iter().any(|t| t.is(b'<')))
        {
            out.insert(src.text(name));
        }
    }
    out
}

fn ggl(cx: &mut Context, l: &Launch, templates: &BTreeSet<&[u8]>) {
    let src = cx.src;
    let (Some(arguments), Some(grid), Some(block)) = (&l.arguments, l.grid(), l.block()) else {
        return;
    };
    let text = |s: &str| Piece::Text(s.as_bytes().to_vec());
    let source = |r: &Range<usize>| src.span_of(r).map(Piece::Source);
    // A comma in the kernel's template arguments would end the macro's first argument: HIP_KERNEL_NAME groups them.
    let template = (src.tokens[l.kernel.clone()].iter().any(|t| t.is(b'<'))
        || templates.contains(src.text(l.kernel.end - 1)))
        && !(src.tokens[l.kernel.start].is(b'(') && src.brackets.partner(l.kernel.start) == Some(l.kernel.end - 1));
    let mut pieces = vec![
        text("hipLaunchKernelGGL("),
        text(if template { "HIP_KERNEL_NAME(" } else { "" }),
    ];
    pieces.extend(source(&l.kernel));
    pieces.push(text(if template { "), " } else { ", " }));
    let operands: Vec<_> = [Some(grid), Some(block), l.shared(), l.stream()]
        .into_iter()
        .map(|o| {
            o.and_then(|o| src.span_of(o))
                .map(|span| (comments_before(src, &span), span))
        })
        .collect();
    let arguments = src.span_of(arguments).unwrap_or_else(|| {
        let end = src.span(l.whole.end - 1).start;
        end..end
    });
    // What ends each gap between the parts that are kept: comments in it are kept too.
    let mut starts = operands.iter().flatten().map(|(kept, _)| kept.start);
    let mut next = || starts.next().unwrap_or(arguments.start);
    if let Some(kernel) = src.span_of(&l.kernel) {
        pieces.extend(comments_in(src, kernel.end..next()));
    }
    for (i, operand) in operands.iter().enumerate() {
        let Some((kept, span)) = operand else {
            pieces.push(text(if i == 3 { "0" } else { "0, " }));
            continue;
        };
        let cast = i < 2 && !src.bytes[span.clone()].starts_with(b"dim3(");
        pieces.push(text(if cast { "dim3(" } else { "" }));
        pieces.push(Piece::Source(kept.clone()));
        pieces.push(text(if cast { ")" } else { "" }));
        pieces.push(text(if i == 3 { "" } else { ", " }));
        pieces.extend(comments_in(src, span.end..next()));
    }
    if !arguments.is_empty() {
        pieces.push(text(", "));
        pieces.push(Piece::Source(arguments));
    }
    pieces.push(text(")"));
    cx.rewrite(&l.whole, pieces);
}

/// The comments in a byte range, each with the white space after it: a line comment needs its line end.
fn comments_in(src: &Source, range: Range<usize>) -> Vec<Piece> {
    let first = src.comments.partition_point(|c| (c.start as usize) < range.start);
    let comments = src.comments[first..].iter().map(|c| c.start as usize..c.end as usize);
    let mut out = Vec::new();
    for c in comments.take_while(|c| c.end <= range.end) {
        let space = src.bytes[c.end..range.end]
            .iter()
            .take_while(|b| b.is_ascii_whitespace())
            .count();
        out.push(Piece::Source(c.start..c.end + space));
        if space == 0 {
            out.push(Piece::Text(b" ".to_vec()));
        }
    }
    out
}

/// The operand's bytes with the block comments that stand right before it.
fn comments_before(src: &Source, span: &Range<usize>) -> Range<usize> {
    let mut start = span.start;
    let i = src.comments.partition_point(|c| (c.end as usize) <= start);
    for c in src.comments[..i].iter().rev() {
        let gap = &src.bytes[c.end as usize..start];
        if !gap.iter().all(|b| b.is_ascii_whitespace()) || src.bytes[c.start as usize + 1] == b'/' {
            break;
        }
        start = c.start as usize;
    }
    start..span.end
}
