//! The disk: which files a run reads, where lines begin, how files are written.
//!
//! Nothing else in the library opens a file. Each failure is a [`SourceError`] that names the path; a run goes on
//! with its other files after one. Contents are bytes of any encoding, never `String`.

pub mod discover;
pub mod error;
pub mod git;
pub mod includes;
pub mod kind;
pub mod lines;
pub mod write;

pub use error::SourceError;
pub use lines::LineIndex;
