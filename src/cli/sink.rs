//! What is done with a translation: a type a mode. Sinks run on the worker threads; what they return for standard
//! output is written in order by the main thread.

use super::engine::Input;
use super::plan::Place;
use similar::TextDiff;
use tranship::diagnostics::Applicability;
use tranship::source::{write, SourceError};

/// What became of one file.
#[derive(Default)]
pub struct Put {
    /// Goes to standard output.
    pub out: Vec<u8>,
    /// The file was written as it is.
    pub copied: bool,
}

/// One mode.
pub trait Sink: Sync {
    /// Takes a translated file: its bytes, and its new bytes where they differ.
    fn put(&self, input: &Input, old: &[u8], new: Option<&[u8]>) -> Result<Put, SourceError>;

    /// The sink takes the input with its fixes, those at least as sure as this, instead of the translation.
    fn fixes(&self) -> Option<Applicability> {
        None
    }

    /// Takes a file that is not translated.
    fn copy(&self, _input: &Input) -> Result<Put, SourceError> {
        Ok(Put::default())
    }
}

/// `check`: nothing is done.
pub struct Nothing;

impl Sink for Nothing {
    fn put(&self, _: &Input, _: &[u8], _: Option<&[u8]>) -> Result<Put, SourceError> {
        Ok(Put::default())
    }
}

/// `check --fix`: the sink within gets the input with its fixes.
pub struct Fixes<S: Sink> {
    pub least: Applicability,
    pub to: S,
}

impl<S: Sink> Sink for Fixes<S> {
    fn put(&self, input: &Input, old: &[u8], new: Option<&[u8]>) -> Result<Put, SourceError> {
        self.to.put(input, old, new)
    }

    fn fixes(&self) -> Option<Applicability> {
        Some(self.least)
    }
}

/// One file to standard output.
pub struct ToStdout;

impl Sink for ToStdout {
    fn put(&self, _: &Input, old: &[u8], new: Option<&[u8]>) -> Result<Put, SourceError> {
        let out = new.unwrap_or(old).to_vec();
        Ok(Put { out, copied: false })
    }

    fn copy(&self, input: &Input) -> Result<Put, SourceError> {
        let out = input.read()?.into_owned();
        Ok(Put { out, copied: true })
    }
}

/// `-o`: to a file or below a folder.
pub struct ToPlace<'a>(pub &'a Place);

impl Sink for ToPlace<'_> {
    fn put(&self, input: &Input, old: &[u8], new: Option<&[u8]>) -> Result<Put, SourceError> {
        if let Some(to) = self.0.of(input) {
            write::write(&to, new.unwrap_or(old), Some(&input.path))?;
        }
        Ok(Put {
            copied: new.is_none(),
            ..Put::default()
        })
    }

    fn copy(&self, input: &Input) -> Result<Put, SourceError> {
        match self.0.of(input) {
            Some(to) if input.bytes.is_none() && !write::is_device(&to) => {
                write::copy(&input.path, &to)?;
            }
            Some(to) => {
                write::write(&to, &input.read()?, Some(&input.path))?;
            }
            None => {}
        }
        Ok(Put {
            copied: true,
            ..Put::default()
        })
    }
}

/// `--in-place`: over the input, where it changes.
pub struct InPlace {
    pub backup: bool,
}

impl Sink for InPlace {
    fn put(&self, input: &Input, old: &[u8], new: Option<&[u8]>) -> Result<Put, SourceError> {
        if let Some(new) = new {
            if write::read_only(&input.path) {
                return Err(SourceError::ReadOnly {
                    path: input.path.clone(),
                });
            }
            if self.backup {
                write::backup(&input.path, old)?;
            }
            write::write(&input.path, new, None)?;
        }
        Ok(Put::default())
    }
}

/// `--diff`: a unified diff, of bytes.
pub struct Diff;

impl Sink for Diff {
    fn put(&self, input: &Input, old: &[u8], new: Option<&[u8]>) -> Result<Put, SourceError> {
        let out = new.map_or(Vec::new(), |new| diff(&input.relative.to_string_lossy(), old, new));
        Ok(Put { out, copied: false })
    }
}

/// Lines end at LF only: a CR is part of its line, so that the diff applies.
fn diff(name: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    let (a, b): (Vec<&[u8]>, Vec<&[u8]>) = (lines(old), lines(new));
    let diff = TextDiff::configure().newline_terminated(true).diff_slices(&a, &b);
    let mut out = format!("--- a/{name}\n+++ b/{name}\n").into_bytes();
    for hunk in diff.unified_diff().iter_hunks() {
        hunk.to_writer(&mut out).expect("a Vec takes every write");
    }
    out
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&b| b == b'\n').collect()
}

/// `--check`: says which files would change.
pub struct WouldChange {
    /// Standard output is for people.
    pub say: bool,
}

impl Sink for WouldChange {
    fn put(&self, input: &Input, _: &[u8], new: Option<&[u8]>) -> Result<Put, SourceError> {
        let mut put = Put::default();
        if new.is_some() && self.say {
            put.out = format!("would change {}\n", input.shown).into_bytes();
        }
        Ok(put)
    }
}

/// `--dry-run`: says what would be written where.
pub struct DryRun<'a> {
    pub place: &'a Place,
    /// Standard output is for people.
    pub say: bool,
}

impl DryRun<'_> {
    fn line(&self, input: &Input, what: &str) -> Put {
        let mut put = Put::default();
        if self.say {
            let to = self.place.of(input).filter(|to| *to != input.path);
            let to = to.map_or(String::new(), |to| format!(" -> {}", to.display()));
            put.out = format!("{what} {}{to}\n", input.shown).into_bytes();
        }
        put
    }
}

impl Sink for DryRun<'_> {
    fn put(&self, input: &Input, _: &[u8], new: Option<&[u8]>) -> Result<Put, SourceError> {
        match new {
            Some(_) => Ok(self.line(input, "translate")),
            None => self.copy(input),
        }
    }

    fn copy(&self, input: &Input) -> Result<Put, SourceError> {
        match self.place {
            Place::Inputs => Ok(Put::default()),
            _ => Ok(self.line(input, "copy")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn diff_keeps_bytes() {
        let out = diff("x.cu", b"a\r\n\xff old\rx\r\nend", b"a\r\n\xff new\rx\r\nend");
        let expected: &[u8] =
            b"--- a/x.cu\n+++ b/x.cu\n@@ -1,3 +1,3 @@\n a\r\n-\xff old\rx\r\n+\xff new\rx\r\n end\n\\ No newline at end of file\n";
        assert_eq!(out.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }
}
