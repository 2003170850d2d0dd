//! The largest value of OCP e4m3 written out, in a file that uses the type: the fnuz format of MI300 ends lower.

use crate::diagnostics::{codes, Confidence, Diagnostic, Severity};
use crate::rules::On;
use crate::syntax::lex::Kind;
use crate::translate::context::Context;
use crate::translate::resolve::Met;

/// What the file must name.
const E4M3: [&str; 5] = [
    "__nv_fp8_e4m3",
    "__nv_fp8x2_e4m3",
    "__nv_fp8x4_e4m3",
    "__NV_E4M3",
    "CUDA_R_8F_E4M3",
];

pub fn run(cx: &mut Context, met: &[Met]) {
    let targets = cx.options.concerned(On::Fp8Fnuz);
    if targets.is_empty() || !met.iter().any(|m| E4M3.contains(&m.name.as_str())) {
        return;
    }
    let src = cx.src;
    for i in 0..src.tokens.len() {
        if src.tokens[i].kind != Kind::Number || !is_448(src.text(i)) {
            continue;
        }
        let d = Diagnostic::new(
            &codes::FP8_FORMAT,
            src.span(i),
            "448 is the largest value of OCP e4m3; that of this target's fnuz format is 240",
        )
        .severity(Severity::Note)
        .confidence(Confidence::Medium)
        .help("scale to 240 where the data goes to the target's own fp8 units; OCP data keeps 448")
        .targets(&targets);
        cx.report(i, d);
    }
}

/// A floating literal of that value; a whole number may count anything.
fn is_448(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let (number, suffix) = text.split_at(digits);
    let fraction = number.strip_prefix(b"448.");
    fraction.is_some_and(|f| f.iter().all(|b| *b == b'0')) && matches!(suffix, b"" | b"f" | b"F" | b"l" | b"L")
}
