//! The text of a configuration file. Every key and value is checked where it stands.

use super::{Config, ConfigError};
use crate::diagnostics::policy::{Level, Selector};
use crate::diagnostics::Severity;
use crate::near::nearest;
use crate::options::{Launch, Rocm, Warp};
use crate::source::discover;
use crate::targets::{self, Target};
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use toml::de::{DeTable, DeValue};
use toml::Spanned;

const KEYS: [&str; 13] = [
    "arch",
    "baseline",
    "exclude",
    "fail-on",
    "ignore",
    "include",
    "keep-names",
    "launch",
    "levels",
    "per-file-ignores",
    "rocm",
    "select",
    "warp",
];

/// Reads `tranship.toml`, or the table of a `pyproject.toml`.
pub fn read(path: &Path, text: &str) -> Result<Config, ConfigError> {
    let file = File { path, text };
    let whole = match DeTable::parse(text) {
        Ok(table) => table.into_inner(),
        // Another tool's file that does not parse is not ours to complain of.
        Err(_) if is_pyproject(path) && !text.contains("tool.tranship") => {
            return Err(ConfigError::NoTable {
                path: path.to_path_buf(),
            })
        }
        Err(e) => return Err(file.bad(e.span().unwrap_or(0..0), e.message())),
    };
    if !is_pyproject(path) {
        return file.config(&whole);
    }
    let tool = whole.get("tool").and_then(|t| t.get_ref().as_table());
    match tool.and_then(|t| t.get("tranship")) {
        Some(table) => match table.get_ref().as_table() {
            Some(table) => file.config(table),
            None => Err(file.bad(table.span(), "tool.tranship is a table")),
        },
        None => Err(ConfigError::NoTable {
            path: path.to_path_buf(),
        }),
    }
}

fn is_pyproject(path: &Path) -> bool {
    path.file_name().is_some_and(|n| n == "pyproject.toml")
}

type Value<'a> = Spanned<DeValue<'a>>;

struct File<'a> {
    path: &'a Path,
    text: &'a str,
}

impl File<'_> {
    fn config(&self, table: &DeTable) -> Result<Config, ConfigError> {
        let mut c = Config::default();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "arch" => c.arch = Some(self.targets(value)?),
                "rocm" => c.rocm = Some(self.parsed::<Rocm>(value)?),
                "launch" => {
                    let forms = [("chevron", Launch::Chevron), ("ggl", Launch::Ggl)];
                    c.launch = Some(self.one_of(value, &forms)?);
                }
                "warp" => {
                    let modes = [("preserve", Warp::Preserve), ("native", Warp::Native)];
                    c.warp = Some(self.one_of(value, &modes)?);
                }
                "keep-names" => {
                    let truth = value.get_ref().as_bool();
                    c.keep_names = Some(truth.ok_or_else(|| self.kind(value, "true or false"))?);
                }
                "include" => c.include = self.globs(value)?,
                "exclude" => c.exclude = self.globs(value)?,
                "select" => c.select = Some(self.selectors(value)?),
                "ignore" => c.ignore = self.selectors(value)?,
                "fail-on" => {
                    let levels = [
                        ("error", Some(Severity::Error)),
                        ("warning", Some(Severity::Warning)),
                        ("note", Some(Severity::Note)),
                        ("never", None),
                    ];
                    c.fail_on = Some(self.one_of(value, &levels)?);
                }
                "baseline" => c.baseline = Some(self.text(value)?.into()),
                "levels" => {
                    let levels = [
                        ("error", Level::At(Severity::Error)),
                        ("warning", Level::At(Severity::Warning)),
                        ("note", Level::At(Severity::Note)),
                        ("off", Level::Off),
                    ];
                    for (name, level) in self.table(value)? {
                        let selector = self.parse_at::<Selector>(name.get_ref(), name.span())?;
                        c.levels.push((selector, self.one_of(level, &levels)?));
                    }
                }
                "per-file-ignores" => {
                    for (glob, names) in self.table(value)? {
                        self.glob(glob.get_ref(), glob.span())?;
                        c.per_file_ignores
                            .push((glob.get_ref().to_string(), self.selectors(names)?));
                    }
                }
                unknown => {
                    let near = nearest(unknown, &KEYS).map_or(String::new(), |n| format!("; did you mean '{n}'?"));
                    let message = format!("unknown key '{unknown}'{near} Known: {}", KEYS.join(", "));
                    return Err(self.bad(key.span(), &message));
                }
            }
        }
        Ok(c)
    }

    fn bad(&self, span: Range<usize>, message: &str) -> ConfigError {
        let (line, column) = crate::source::LineIndex::new(self.text.as_bytes()).position(span.start);
        ConfigError::Bad {
            path: self.path.to_path_buf(),
            line: line + 1,
            column: column + 1,
            message: message.to_string(),
        }
    }

    fn kind(&self, value: &Value, wanted: &str) -> ConfigError {
        let message = format!("{wanted} is wanted here, not {}", value.get_ref().type_str());
        self.bad(value.span(), &message)
    }

    fn text<'v>(&self, value: &'v Value) -> Result<&'v str, ConfigError> {
        value.get_ref().as_str().ok_or_else(|| self.kind(value, "a string"))
    }

    fn table<'v, 'i>(&self, value: &'v Value<'i>) -> Result<&'v DeTable<'i>, ConfigError> {
        value.get_ref().as_table().ok_or_else(|| self.kind(value, "a table"))
    }

    fn parse_at<T: FromStr>(&self, text: &str, span: Range<usize>) -> Result<T, ConfigError>
    where
        T::Err: Display,
    {
        text.parse().map_err(|e: T::Err| self.bad(span, &e.to_string()))
    }

    fn parsed<T: FromStr>(&self, value: &Value) -> Result<T, ConfigError>
    where
        T::Err: Display,
    {
        self.parse_at(self.text(value)?, value.span())
    }

    fn one_of<T: Copy>(&self, value: &Value, known: &[(&str, T)]) -> Result<T, ConfigError> {
        let text = self.text(value)?;
        let found = known.iter().find(|(name, _)| *name == text).map(|(_, t)| *t);
        found.ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|(n, _)| *n).collect();
            let near = nearest(text, &names).map_or(String::new(), |n| format!("; did you mean '{n}'?"));
            let message = format!("'{text}' is none of {}{near}", names.join(", "));
            self.bad(value.span(), &message)
        })
    }

    /// A list of strings; one string stands for a list of it.
    fn strings<'v>(&self, value: &'v Value) -> Result<Vec<(&'v str, Range<usize>)>, ConfigError> {
        match value.get_ref().as_array() {
            None => match value.get_ref().as_str() {
                Some(text) => Ok(vec![(text, value.span())]),
                None => Err(self.kind(value, "a list of strings")),
            },
            Some(list) => list.iter().map(|v| Ok((self.text(v)?, v.span()))).collect(),
        }
    }

    fn targets(&self, value: &Value) -> Result<Vec<&'static Target>, ConfigError> {
        let list = self.strings(value)?;
        if list.is_empty() {
            return Err(self.bad(value.span(), "name at least one architecture"));
        }
        let one = |(text, span): (&str, Range<usize>)| targets::named(text).map_err(|message| self.bad(span, &message));
        list.into_iter().map(one).collect()
    }

    fn selectors(&self, value: &Value) -> Result<Vec<Selector>, ConfigError> {
        let list = self.strings(value)?;
        list.into_iter().map(|(text, span)| self.parse_at(text, span)).collect()
    }

    fn glob(&self, text: &str, span: Range<usize>) -> Result<(), ConfigError> {
        let tried = discover::globs(&[text.to_string()]);
        tried.map(|_| ()).map_err(|e| self.bad(span, &e.to_string()))
    }

    fn globs(&self, value: &Value) -> Result<Vec<String>, ConfigError> {
        let list = self.strings(value)?;
        let one = |(text, span): (&str, Range<usize>)| self.glob(text, span).map(|()| text.to_string());
        list.into_iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        read(Path::new("d/tranship.toml"), text).expect_err(text).to_string()
    }

    #[test]
    fn every_key() {
        let text = "arch = ['gfx942', 'gfx1100']\nrocm = '6.4'\nlaunch = 'ggl'\nwarp = 'native'\nkeep-names = true\n\
                    include = ['src']\nexclude = ['*.inl']\nselect = 'TSA'\nignore = ['no-effect']\nfail-on = 'never'\n\
                    baseline = 'b.json'\n[levels]\ninline-ptx = 'warning'\nall = 'off'\n[per-file-ignores]\n't/**' = ['all']\n";
        let c = read(Path::new("tranship.toml"), text).expect("good");
        assert_eq!(c.arch.map(|a| a.len()), Some(2));
        assert_eq!(
            (c.rocm, c.launch, c.warp),
            (Some(Rocm(6, 4)), Some(Launch::Ggl), Some(Warp::Native))
        );
        assert_eq!((c.keep_names, c.fail_on), (Some(true), Some(None)));
        assert_eq!((c.include.len(), c.exclude.len(), c.ignore.len()), (1, 1, 1));
        assert_eq!(
            (c.select.map(|s| s.len()), c.levels.len(), c.per_file_ignores.len()),
            (Some(1), 2, 1)
        );
    }

    #[test]
    fn the_example_of_the_book() {
        let book = include_str!("../../docs/src/findings.md");
        let example = book.split("```toml\n").nth(1).and_then(|r| r.split("```").next());
        let text = example.expect("the book has an example");
        let c = read(Path::new("tranship.toml"), text).expect("it is right");
        assert!(KEYS.iter().all(|k| text.contains(k)), "it shows every key");
        assert_eq!(c.levels.len(), 2);
    }

    #[test]
    fn faults_have_a_place_and_the_nearest_word() {
        assert!(fault("rocm = '6.4'\nselekt = []\n")
            .starts_with("d/tranship.toml:2:1: unknown key 'selekt'; did you mean 'select'?"));
        assert!(fault("ignore = ['no-effect',\n  'inline-ptxx']\n")
            .contains("d/tranship.toml:2:3: there is no finding 'inline-ptxx'; did you mean inline-ptx?"));
        assert!(fault("arch = 'gfx9421'").contains("1:8: unknown architecture; did you mean gfx942?"));
        assert!(fault("[levels]\ninline-ptx = 'warn'")
            .contains("2:14: 'warn' is none of error, warning, note, off; did you mean 'warning'?"));
        assert!(fault("fail-on = 3").contains("1:11: a string is wanted here, not integer"));
        assert!(fault("rocm = '5.0'").contains("unknown ROCm release"));
        assert!(fault("exclude = ['a[']").contains("1:12: "));
        assert!(fault("a = 1\na = ").contains("d/tranship.toml:2:"));
        assert!(fault("arch = []").contains("at least one"));
    }

    #[test]
    fn the_table_of_pyproject() {
        let path = Path::new("pyproject.toml");
        let c = read(path, "[project]\nname = 'x'\n[tool.tranship]\nrocm = '6.4'\n").expect("good");
        assert_eq!(c.rocm, Some(Rocm(6, 4)));
        for text in ["[project]\nname = 'x'\n", "broken ="] {
            assert!(matches!(read(path, text), Err(ConfigError::NoTable { .. })), "{text}");
        }
        let bad = read(path, "[tool.ruff]\nx = 1\n[tool.tranship]\nrokm = '6.4'\n").expect_err("a bad key");
        assert!(bad
            .to_string()
            .contains("pyproject.toml:4:1: unknown key 'rokm'; did you mean 'rocm'?"));
    }
}
