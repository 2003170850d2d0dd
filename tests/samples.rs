//! Every page of `rules/diagnostics` has samples, and they hold: the bad one raises the page's finding at the marked
//! lines and nothing else, the good one raises nothing, and a fix that can be applied makes the good one of the bad.
//! The good ones' translations compile in `tests/compile_gate.rs`. `docs/src/adding-rules.md` has the form.

mod common;

use common::samples::{self, Page, Sample};
use tranship::diagnostics::{Applicability, Diagnostic};
use tranship::source::LineIndex;

#[test]
fn samples_of_every_page_hold() {
    let pages = samples::pages();
    assert_eq!(pages.len(), tranship::diagnostics::codes::ALL.len());
    let faults: Vec<String> = pages.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "{}\n{} faults", faults.join("\n"), faults.len());
}

#[test]
fn faults_of_pages_are_found() {
    let fault = |name: &str, text: &str| {
        let page = samples::parse(format!("TST001-{name}.md").into(), text);
        faults(&page).join("\n")
    };
    let ptx = "__device__ void f() { asm(\"bar.sync 1, 64;\"); }";
    let fine = "__device__ void f() {}";
    let both = |bad: &str, good: &str| format!("# T\n\n```cuda bad\n{bad}\n```\n\n```cuda good\n{good}\n```\n");
    let mark = samples::MARK;
    assert!(fault("inline-ptx", "# T\n\nText.\n").contains("no ```cuda bad sample"));
    assert!(fault("inline-ptx", &format!("```cuda bad\n{ptx} {mark}\n```\n")).contains("no ```cuda good sample"));
    for (bad, good, part) in [
        (ptx.to_string(), fine.to_string(), "no line of the bad sample ends in"),
        (format!("{mark}\n{ptx}"), fine.to_string(), "marked are lines [1]"),
        (format!("{ptx}\n{ptx} {mark}"), fine.to_string(), "is raised at [1, 2]"),
        (format!("{fine} {mark}"), fine.to_string(), "is raised at []"),
        (format!("{ptx} {mark}\nvoid g(Npp8u);"), fine.to_string(), "also raises"),
        (format!("{ptx} {mark}"), ptx.to_string(), "the good sample raises"),
    ] {
        let found = fault("inline-ptx", &both(&bad, &good));
        assert!(found.contains(part), "{part}: {found}");
    }
    let stale = format!("int x;  // tranship: ignore[inline-ptx]  {mark}\n{fine}");
    let found = fault("unused-ignore", &both(&stale, &format!("int y;\n{fine}")));
    assert!(found.contains("not the good sample"), "{found}");
    assert_eq!(fault("unused-ignore", &both(&stale, &format!("int x;\n{fine}"))), "");
}

fn faults(page: &Page) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(why) = page.no_samples() {
        if !page.samples.is_empty() {
            out.push(format!("{}: has samples, yet none are expected: {why}", page.stem));
        }
        return out;
    }
    for kind in [samples::Kind::Bad, samples::Kind::Good] {
        if !page.samples.iter().any(|s| s.kind == kind) {
            out.push(format!("{}: no ```cuda {kind} sample", page.stem));
        }
    }
    for (i, sample) in page.samples.iter().enumerate() {
        let place = format!("{}:{}", page.path.display(), sample.line);
        let found = sample.translate().diagnostics;
        match sample.kind {
            samples::Kind::Good => {
                let foreign: Vec<&Diagnostic> = found.iter().filter(|d| !sample.allows(d.code.name)).collect();
                if !foreign.is_empty() {
                    out.push(format!("{place}: the good sample raises{}", list(sample, &foreign)));
                }
            }
            samples::Kind::Bad => {
                out.extend(raises(page, sample, &found).map(|f| format!("{place}: {f}")));
                let next = page.samples.get(i + 1).filter(|s| s.kind == samples::Kind::Good);
                out.extend(fixes(page, sample, next, &found).map(|f| format!("{place}: {f}")));
            }
        }
    }
    out
}

/// The bad sample raises the page's finding on each marked line, on no other, and no other finding.
fn raises(page: &Page, sample: &Sample, found: &[Diagnostic]) -> Option<String> {
    let lines = LineIndex::new(&sample.text);
    let mut at: Vec<usize> = found
        .iter()
        .filter(|d| d.code.name == page.name)
        .map(|d| lines.position(d.span.start).0 + 1)
        .collect();
    at.dedup();
    if sample.marked.is_empty() {
        return Some(format!("no line of the bad sample ends in `{}`", samples::MARK));
    }
    if at != sample.marked {
        return Some(format!(
            "marked are lines {:?} of the sample, `{}` is raised at {at:?}; all findings:{}",
            sample.marked,
            page.name,
            list(sample, &found.iter().collect::<Vec<_>>())
        ));
    }
    let foreign: Vec<&Diagnostic> = found
        .iter()
        .filter(|d| d.code.name != page.name && !sample.allows(d.code.name))
        .collect();
    (!foreign.is_empty()).then(|| format!("the bad sample also raises{}", list(sample, &foreign)))
}

/// Where the finding brings a fix that can be applied, it makes the next good sample of the bad one.
fn fixes(page: &Page, sample: &Sample, next: Option<&Sample>, found: &[Diagnostic]) -> Option<String> {
    let own = found.iter().filter(|d| d.code.name == page.name);
    let fixes: Vec<_> = own.filter_map(|d| d.fix.as_ref()).collect();
    let fixed = tranship::fix::apply(&sample.text, fixes, Applicability::Unsafe);
    if fixed.applied == 0 {
        return None;
    }
    let Some(good) = next else {
        return Some("the finding has a fix, so a good sample must follow".to_string());
    };
    (fixed.text != good.text).then(|| {
        format!(
            "the fix gives\n{}not the good sample\n{}",
            String::from_utf8_lossy(&fixed.text),
            String::from_utf8_lossy(&good.text)
        )
    })
}

fn list(sample: &Sample, found: &[&Diagnostic]) -> String {
    let lines = LineIndex::new(&sample.text);
    let each = found.iter().map(|d| {
        let line = lines.position(d.span.start).0 + 1;
        format!(
            "\n    line {line}: {}[{}]: {}",
            d.severity.word(),
            d.code.name,
            d.message
        )
    });
    if found.is_empty() {
        " nothing".to_string()
    } else {
        each.collect()
    }
}
