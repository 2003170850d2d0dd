//! Token pasting in `#define` bodies: a CUDA prefix glued to a parameter becomes HIP's, and says so.

use super::context::{Context, State};
use crate::diagnostics::{codes, Diagnostic};
use crate::ledger::Fate;
use crate::rules::NAMES;
use crate::syntax::lex::Kind;

/// CUDA's prefixes and HIP's, longest first: what a name that starts so usually starts with in HIP.
const PREFIXES: [(&str, &str); 17] = [
    ("CUSPARSE_", "HIPSPARSE_"),
    ("CUSOLVER_", "HIPSOLVER_"),
    ("cusolver", "hipsolver"),
    ("cusparse", "hipsparse"),
    ("CUBLAS_", "HIPBLAS_"),
    ("CURAND_", "HIPRAND_"),
    ("CUFFT_", "HIPFFT_"),
    ("cublas", "hipblas"),
    ("curand", "hiprand"),
    ("cufft", "hipfft"),
    ("nvrtc", "hiprtc"),
    ("cudaError", "hipError"),
    ("cudaMemcpy", "hipMemcpy"),
    ("cuda", "hip"),
    ("CUDA_", "HIP_"),
    ("CU_", "HIP_"),
    ("cu", "hip"),
];

/// Deals with each identifier that is pasted to what is not known here.
pub fn run(cx: &mut Context) {
    let src = cx.src;
    for i in 0..src.tokens.len() {
        if src.tokens[i].kind != Kind::Paste || !src.tokens[i].in_directive || cx.state(i) != State::Active {
            continue;
        }
        let Some(first) = src.before(i).filter(|&p| src.tokens[p].is_ident()) else {
            continue;
        };
        // Only the head of a chain carries a prefix.
        if src.before(first).is_some_and(|p| src.tokens[p].kind == Kind::Paste) {
            continue;
        }
        let params = src.directive_of(i).and_then(|d| d.params.clone()).unwrap_or_default();
        let text = src.str(first);
        if params.iter().any(|&p| src.str(p) == text) {
            continue;
        }
        // Two literal halves (`cuda ## Memcpy ## X`) make one prefix.
        let Some(&(_, hip)) = PREFIXES.iter().find(|p| starts_name(text, p.0)) else {
            continue;
        };
        let cuda = PREFIXES.iter().find(|p| starts_name(text, p.0)).map_or("", |p| p.0);
        let becomes = format!("{hip}{}", &text[cuda.len()..]);
        let fits = NAMES
            .entries()
            .filter(|(n, _)| n.starts_with(text) && n.len() > text.len());
        let (mut all, mut regular) = (0, 0);
        for (n, rows) in fits {
            all += 1;
            regular += rows
                .iter()
                .any(|r| r.hip.is_some_and(|h| h == format!("{becomes}{}", &n[text.len()..])))
                as usize;
        }
        if all == 0 {
            continue;
        }
        let span = src.span_of(&(first..i + 2)).unwrap_or(0..0);
        if cx.ignored(&codes::UNRESOLVED_PASTE, &span) {
            cx.note_name(first, text, "runtime", Fate::Ignored, None);
            continue;
        }
        cx.note_name(first, text, "runtime", Fate::Reported, Some(&becomes));
        cx.replace(&(first..first + 1), becomes.as_str());
        let d = Diagnostic::new(
            &codes::UNRESOLVED_PASTE,
            span,
            format!("`{text}` is pasted (##) to a macro's argument"),
        )
        .note(format!(
            "the prefix became `{becomes}`; of {all} CUDA names that start with `{text}`, {regular} follow that rule"
        ))
        .help("check the names that the macro's uses build; write those out that do not");
        cx.report(first, d);
    }
}

/// `cuda` starts `cuda` and `cudaMem`, not `cudaish`; an upper-case prefix ends in `_`.
fn starts_name(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix).is_some_and(|rest| {
        prefix.ends_with('_') || rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
    })
}
