//! Which findings count, and how much: `select`, `ignore`, levels, and what single files are spared.

use super::{codes, Code, Diagnostic, Severity};
use crate::near::nearest;
use globset::GlobSet;
use std::path::Path;
use std::str::FromStr;

/// Names findings: one by name or code, a family by the letters of its codes, or all.
#[derive(Clone, Debug)]
pub enum Selector {
    All,
    /// `TSW`.
    Family(&'static str),
    One(&'static Code),
}

/// Letters of a code that name its family.
const FAMILY: usize = 3;

/// A name that no finding has.
#[derive(Clone, Debug, thiserror::Error)]
#[error("there is no finding '{text}'{}", .near.map_or(String::new(), |n| format!("; did you mean {n}?")))]
pub struct UnknownFinding {
    text: String,
    near: Option<&'static str>,
}

impl FromStr for Selector {
    type Err = UnknownFinding;

    fn from_str(text: &str) -> Result<Self, UnknownFinding> {
        if text == "all" {
            return Ok(Selector::All);
        }
        if let Some(code) = Code::find(text) {
            return Ok(Selector::One(code));
        }
        let family = codes::ALL.iter().map(|c| &c.code[..FAMILY]);
        if let Some(family) = family.into_iter().find(|f| f.eq_ignore_ascii_case(text)) {
            return Ok(Selector::Family(family));
        }
        let known: Vec<&'static str> = codes::ALL.iter().flat_map(|c| [c.name, c.code]).collect();
        Err(UnknownFinding {
            text: text.to_string(),
            near: nearest(text, &known),
        })
    }
}

impl Selector {
    /// Whether it names that finding.
    pub fn names(&self, code: &Code) -> bool {
        match self {
            Selector::All => true,
            Selector::Family(f) => code.code.starts_with(f),
            Selector::One(c) => c.code == code.code,
        }
    }

    /// How narrowly it names: the narrowest of several counts.
    fn rank(&self) -> u8 {
        match self {
            Selector::All => 0,
            Selector::Family(_) => 1,
            Selector::One(_) => 2,
        }
    }
}

/// What a finding counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Off,
    At(Severity),
}

/// The rules of one run. Paths are relative to one folder, that of the configuration file.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Only these count; `None`: every finding.
    pub select: Option<Vec<Selector>>,
    /// These do not.
    pub ignore: Vec<Selector>,
    pub levels: Vec<(Selector, Level)>,
    /// Files in which some do not count.
    pub per_file: Vec<(GlobSet, Vec<Selector>)>,
}

impl Policy {
    /// Takes out what does not count and sets severities. `path` is `None` for a file outside the folder.
    pub fn apply(&self, path: Option<&Path>, diagnostics: &mut Vec<Diagnostic>) {
        let spared: Vec<&Selector> = self
            .per_file
            .iter()
            .filter(|(globs, _)| path.is_some_and(|p| crate::source::discover::matches(globs, p)))
            .flat_map(|(_, selectors)| selectors)
            .collect();
        diagnostics.retain_mut(|d| {
            let selected = self.select.as_ref().is_none_or(|s| s.iter().any(|s| s.names(d.code)));
            let mut ignored = self.ignore.iter().chain(spared.iter().copied());
            if !selected || ignored.any(|s| s.names(d.code)) {
                return false;
            }
            let levels = self.levels.iter().filter(|(s, _)| s.names(d.code));
            match levels.max_by_key(|(s, _)| s.rank()) {
                Some((_, Level::Off)) => return false,
                Some((_, Level::At(severity))) => d.severity = *severity,
                None => {}
            }
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selectors(text: &str) -> Vec<Selector> {
        text.split_whitespace().map(|t| t.parse().expect("known")).collect()
    }

    /// What is left of one error of each of two codes.
    fn left(policy: &Policy, path: Option<&str>) -> Vec<String> {
        let mut found = vec![
            Diagnostic::new(&codes::INLINE_PTX, 0..1, "a"),
            Diagnostic::new(&codes::NO_EFFECT, 0..1, "b"),
        ];
        policy.apply(path.map(Path::new), &mut found);
        let line = |d: &Diagnostic| format!("{}:{}", d.code.name, d.severity.word());
        found.iter().map(line).collect()
    }

    #[test]
    fn selecting_ignoring_and_levels() {
        assert_eq!(left(&Policy::default(), None), ["inline-ptx:error", "no-effect:note"]);
        let only = Policy {
            select: Some(selectors("tsp no-effect")),
            ignore: selectors("TSA009"),
            ..Policy::default()
        };
        assert_eq!(left(&only, None), ["inline-ptx:error"]);
        let levels = Policy {
            levels: vec![
                (Selector::One(&codes::NO_EFFECT), Level::At(Severity::Error)),
                (Selector::All, Level::Off),
            ],
            ..Policy::default()
        };
        assert_eq!(left(&levels, None), ["no-effect:error"]);
    }

    #[test]
    fn single_files_are_spared() {
        let globs = crate::source::discover::globs(&["third_party/".to_string()]).expect("a glob");
        let policy = Policy {
            per_file: vec![(globs, selectors("all"))],
            ..Policy::default()
        };
        assert!(left(&policy, Some("third_party/a/b.cu")).is_empty());
        assert_eq!(left(&policy, Some("src/b.cu")).len(), 2);
        assert_eq!(left(&policy, None).len(), 2);
    }

    #[test]
    fn wrong_names_bring_the_nearest() {
        let wrong = "inline-ptxx".parse::<Selector>().expect_err("unknown");
        assert_eq!(
            wrong.to_string(),
            "there is no finding 'inline-ptxx'; did you mean inline-ptx?"
        );
    }
}
