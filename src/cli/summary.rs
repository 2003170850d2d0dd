//! The last lines for people: what was done, what is left, what to do next. Computed from the tally alone.

use std::collections::BTreeMap;
use std::fmt::Write;
use tranship::diagnostics::{Code, Severity, Tally};
use tranship::ledger::Fate;

/// Names shown of each kind.
const SHOWN: usize = 5;

/// What a person does after the run, where nothing was found.
pub enum Next {
    /// Nothing was written: translate.
    Translate,
    /// This command compiles a file that was written.
    Compile(String),
    /// No advice.
    None,
}

/// The summary, several lines.
pub fn text(t: &Tally, next: &Next) -> String {
    let mut out = String::new();
    let changed = match next {
        Next::Translate => "to translate",
        _ => "changed",
    };
    let _ = write!(out, "{} read, {} {changed}", count(t.files, "file"), t.changed);
    if t.copied > 0 {
        let _ = write!(out, ", {} copied as they are", t.copied);
    }
    if t.failed > 0 {
        let _ = write!(out, ", {} failed", t.failed);
    }
    out.push('\n');
    let translated: usize = t.libraries.values().sum();
    let left = t.fate(Fate::Reported);
    if translated + left > 0 {
        let _ = writeln!(
            out,
            "{} translated{}, {left} left over{}",
            count(translated, "CUDA name"),
            top(&t.libraries),
            top(&t.left_over)
        );
    }
    if t.fixed > 0 {
        let _ = writeln!(out, "{} applied", count(t.fixed, "fix").replace("fixs", "fixes"));
    }
    let findings: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .iter()
        .filter(|s| t.count(**s) > 0)
        .map(|s| count(t.count(*s), s.word()))
        .collect();
    if !findings.is_empty() {
        let _ = writeln!(out, "findings: {}{}", findings.join(", "), top(&t.by_name));
    }
    if t.in_baseline > 0 {
        let _ = writeln!(
            out,
            "{} left out: the baseline lists them",
            count(t.in_baseline, "finding")
        );
    }
    if let Some(step) = step(t, next) {
        let _ = writeln!(out, "next: {step}");
    }
    out
}

/// How many findings there are of each name, and CUDA names of each library: the largest first.
pub fn statistics(t: &Tally) -> String {
    let mut out = String::new();
    table(&mut out, "findings", &t.by_name);
    let names: BTreeMap<&str, usize> = t.libraries.iter().map(|(k, n)| (*k, *n)).collect();
    table(&mut out, "CUDA names translated, by library", &names);
    let left: BTreeMap<&str, usize> = t.left_over.iter().map(|(k, n)| (k.as_str(), *n)).collect();
    table(&mut out, "CUDA names left over", &left);
    out
}

fn table(out: &mut String, title: &str, counts: &BTreeMap<&str, usize>) {
    let total: usize = counts.values().sum();
    let _ = writeln!(out, "{total:>7}  {title}");
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by_key(|(k, n)| (std::cmp::Reverse(**n), **k));
    for (name, n) in sorted {
        let _ = writeln!(out, "{n:>7}    {name}");
    }
}

fn step(t: &Tally, next: &Next) -> Option<String> {
    if t.failed > 0 {
        return Some("mend what the errors above name, then run again".to_string());
    }
    if t.at_least(Severity::Warning) > 0 {
        // The gravest, then the most frequent, then the first.
        let weight = |name: &str, n: usize| (Code::find(name).map(|c| c.severity), n);
        let names = t.by_name.iter().rev();
        let (name, _) = names.max_by_key(|(name, n)| weight(name, **n))?;
        return Some(format!("tranship explain {name}"));
    }
    match next {
        Next::Compile(command) if t.changed > 0 => Some(command.clone()),
        Next::Translate if t.changed > 0 => Some("tranship translate".to_string()),
        _ => None,
    }
}

/// "1 file", "2 files".
fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// " (runtime 12, blas 3, 2 more)": the largest first.
fn top<K: AsRef<str>>(counts: &BTreeMap<K, usize>) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let mut sorted: Vec<(&str, usize)> = counts.iter().map(|(k, n)| (k.as_ref(), *n)).collect();
    sorted.sort_by_key(|(k, n)| (std::cmp::Reverse(*n), *k));
    let mut words: Vec<String> = sorted.iter().take(SHOWN).map(|(k, n)| format!("{k} {n}")).collect();
    if sorted.len() > SHOWN {
        words.push(format!("{} more", sorted.len() - SHOWN));
    }
    format!(" ({})", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_and_empty() {
        let mut t = Tally {
            files: 3,
            changed: 1,
            copied: 1,
            ..Tally::default()
        };
        let compile = Next::Compile("hipcc a.hip".to_string());
        assert_eq!(
            text(&t, &compile),
            "3 files read, 1 changed, 1 copied as they are\nnext: hipcc a.hip\n"
        );
        t.libraries.insert("blas", 2);
        t.libraries.insert("runtime", 9);
        t.names.insert(Fate::Reported, 1);
        t.left_over.insert("cudaGraphX".to_string(), 1);
        t.diagnostics.insert(Severity::Error, 1);
        t.by_name.insert("unsupported-api", 1);
        assert_eq!(
            text(&t, &compile),
            "3 files read, 1 changed, 1 copied as they are\n\
             11 CUDA names translated (runtime 9, blas 2), 1 left over (cudaGraphX 1)\n\
             findings: 1 error (unsupported-api 1)\n\
             next: tranship explain unsupported-api\n"
        );
        assert_eq!(text(&Tally::default(), &Next::None), "0 files read, 0 changed\n");
    }
}
