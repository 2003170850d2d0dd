//! Writing: whole or not at all.
//!
//! A regular file is written beside its place, flushed to the disk and renamed over it, so that a full disk or a
//! crash leaves the old contents. Permissions of the old file, or of a given one, are kept; a link is written
//! through. Plain copies are not flushed. Devices and pipes (`/dev/stdout`, `/dev/full`) are written as they are. Contents that stand there already
//! are not written again, so that build tools see no change.

use super::SourceError;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Copies of files larger than this are not compared with what stands there before.
const COMPARE_LIMIT: u64 = 4 << 20;

/// What a write did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The file has new contents.
    New,
    /// The contents stood there already.
    Same,
}

/// A file being written; nothing shows under its name before [`Pending::commit`].
#[derive(Debug)]
pub struct Pending {
    path: PathBuf,
    to: To,
}

#[derive(Debug)]
enum To {
    /// A temporary file, the place it is renamed to, the permissions it gets.
    Place(tempfile::NamedTempFile, PathBuf, Option<Permissions>),
    Device(File),
}

impl Pending {
    /// Opens a file for writing, making its folders. A new file takes its permissions from `like`, where given.
    pub fn open(path: &Path, like: Option<&Path>) -> Result<Self, SourceError> {
        let fail = |e| SourceError::write(path, e);
        // A link is written through: renaming over it would cut it off from its target.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let mut mode = None;
        if let Ok(meta) = fs::metadata(&place) {
            if meta.is_dir() {
                return Err(fail(io::Error::other("it is a directory")));
            }
            if !meta.is_file() {
                let device = File::options().write(true).open(&place).map_err(fail)?;
                return Ok(Pending {
                    path: path.to_path_buf(),
                    to: To::Device(device),
                });
            }
            mode = Some(meta.permissions());
        }
        let mode = mode.or_else(|| Some(fs::metadata(like?).ok()?.permissions()));
        let temp = temporary(&place).map_err(fail)?;
        Ok(Pending {
            path: path.to_path_buf(),
            to: To::Place(temp, place, mode),
        })
    }

    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), SourceError> {
        let done = match &mut self.to {
            To::Place(temp, ..) => temp.write_all(bytes),
            To::Device(device) => device.write_all(bytes),
        };
        done.map_err(|e| SourceError::write(&self.path, e))
    }

    /// Flushes and puts the file in its place.
    pub fn commit(self) -> Result<(), SourceError> {
        match self.to {
            To::Place(temp, place, mode) => finish(temp, &place, mode).map_err(|e| SourceError::write(&self.path, e)),
            To::Device(_) => Ok(()),
        }
    }
}

/// Writes `bytes` to `path`, making its folders. A new file takes its permissions from `like`, where given.
pub fn write(path: &Path, bytes: &[u8], like: Option<&Path>) -> Result<Written, SourceError> {
    let same_length = fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() == bytes.len() as u64);
    if same_length && fs::read(path).is_ok_and(|b| b == bytes) {
        return Ok(Written::Same);
    }
    let mut file = Pending::open(path, like)?;
    file.add(bytes)?;
    file.commit()?;
    Ok(Written::New)
}

/// Whether `path` is a device or a pipe: written as it is, with nothing beside it.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// Copies `from` to `to` with its permissions, making folders. Memory does not grow with the file.
pub fn copy(from: &Path, to: &Path) -> Result<Written, SourceError> {
    let mut source = File::open(from).map_err(|e| SourceError::read(from, e))?;
    let meta = source.metadata().map_err(|e| SourceError::read(from, e))?;
    let fail = |e| SourceError::write(to, e);
    let same_length = fs::metadata(to).is_ok_and(|m| m.is_file() && m.len() == meta.len());
    if same_length && meta.len() <= COMPARE_LIMIT {
        let bytes = fs::read(from).map_err(|e| SourceError::read(from, e))?;
        if fs::read(to).is_ok_and(|b| b == bytes) {
            return Ok(Written::Same);
        }
    }
    if fs::metadata(to).is_ok_and(|m| m.is_dir()) {
        return Err(fail(io::Error::other("it is a directory")));
    }
    let mut temp = temporary(to).map_err(fail)?;
    io::copy(&mut source, temp.as_file_mut()).map_err(fail)?;
    // Not flushed to the disk, which would cost a tree of thousands of files minutes: the original is still there.
    temp.as_file().set_permissions(meta.permissions()).map_err(fail)?;
    temp.persist(to).map_err(|e| fail(e.error))?;
    Ok(Written::New)
}

/// `path` with `.orig` appended: where `--backup` keeps the file.
pub fn backup_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".orig");
    PathBuf::from(name)
}

/// Keeps `bytes`, the contents of `path`, as `path.orig`. Never overwrites: an existing one is an error.
pub fn backup(path: &Path, bytes: &[u8]) -> Result<(), SourceError> {
    let to = backup_path(path);
    let fail = |e: io::Error| SourceError::write(&to, e);
    let mut temp = temporary(&to).map_err(fail)?;
    temp.write_all(bytes).map_err(fail)?;
    let mode = fs::metadata(path).ok().map(|m| m.permissions());
    seal(&temp, mode)
        .and_then(|()| temp.as_file().sync_all())
        .map_err(fail)?;
    match temp.persist_noclobber(&to) {
        Ok(_) => Ok(()),
        Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => Err(SourceError::BackupExists { path: to }),
        Err(e) => Err(fail(e.error)),
    }
}

/// Whether the file's permissions forbid every write; then it is not replaced behind its owner's back.
pub fn read_only(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|m| m.permissions().readonly())
}

fn temporary(place: &Path) -> io::Result<tempfile::NamedTempFile> {
    let dir = match place.parent() {
        Some(d) if !d.as_os_str().is_empty() => d,
        _ => Path::new("."),
    };
    fs::create_dir_all(dir)?;
    tempfile::Builder::new().prefix(".tranship-").tempfile_in(dir)
}

fn finish(temp: tempfile::NamedTempFile, place: &Path, mode: Option<Permissions>) -> io::Result<()> {
    seal(&temp, mode)?;
    // Only where something is replaced can a power cut lose what was there; a fresh tree is made again.
    if place.exists() {
        temp.as_file().sync_all()?;
    }
    temp.persist(place).map_err(|e| e.error)?;
    Ok(())
}

/// Sets the permissions.
fn seal(temp: &tempfile::NamedTempFile, mode: Option<Permissions>) -> io::Result<()> {
    let mode = mode.unwrap_or_else(new_file_mode);
    temp.as_file().set_permissions(mode)
}

/// What a plain `open` would give; a temporary file starts closed to everyone else.
#[cfg(unix)]
fn new_file_mode() -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    use std::sync::OnceLock;
    static MODE: OnceLock<u32> = OnceLock::new();
    // The umask has no safe reader: make a file with an ordinary open, once, and look.
    let mode = *MODE.get_or_init(|| {
        let made = tempfile::tempdir().and_then(|dir| File::create(dir.path().join("mode"))?.metadata());
        made.map_or(0o644, |m| m.permissions().mode() & 0o777)
    });
    Permissions::from_mode(mode)
}

#[cfg(not(unix))]
fn new_file_mode() -> Permissions {
    let made = tempfile::tempfile().and_then(|f| f.metadata());
    made.expect("the temporary folder takes files").permissions()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_once_and_keeps_permissions() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("d/x");
        assert_eq!(write(&path, b"one", None).expect("written"), Written::New);
        assert_eq!(write(&path, b"one", None).expect("written"), Written::Same);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, Permissions::from_mode(0o750)).expect("own file");
            write(&path, b"two", None).expect("written");
            assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o750);
        }
        let left: Vec<_> = fs::read_dir(dir.path().join("d")).expect("there").collect();
        assert_eq!(left.len(), 1, "no temporary file stays");
    }

    #[cfg(unix)]
    #[test]
    fn writes_through_links() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let (real, link) = (dir.path().join("real"), dir.path().join("link"));
        fs::write(&real, "old").expect("written");
        std::os::unix::fs::symlink(&real, &link).expect("linked");
        write(&link, b"new", None).expect("written");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read(&real).expect("there"), b"new");
    }

    #[test]
    fn backups_never_overwrite() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("x.cu");
        fs::write(&path, "text").expect("written");
        backup(&path, b"text").expect("the first backup");
        assert!(matches!(backup(&path, b"other"), Err(SourceError::BackupExists { .. })));
        assert_eq!(fs::read(backup_path(&path)).expect("there"), b"text");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn full_device() {
        let e = write(Path::new("/dev/full"), b"x", None).expect_err("no space");
        assert_eq!(e.to_string(), "cannot write /dev/full: no space left on device");
    }
}
