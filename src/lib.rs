//! `tranship` carries CUDA C++ to AMD GPUs.
//!
//! The library is pure: it takes bytes and gives bytes, findings and a ledger. Only [`source`]
//! touches the disk. The command line, and later the editor server, call the same two functions:
//! [`Project::add`] for each file of a program, then [`translate`] for each file.

pub mod analysis;
pub mod compat;
pub mod config;
pub mod diagnostics;
pub mod edit;
pub mod fix;
pub mod ignore;
pub mod ledger;
pub mod model;
pub mod near;
pub mod options;
pub mod ptx;
pub mod rules;
pub mod shims;
pub mod source;
pub mod syntax;
pub mod targets;
pub mod translate;

pub use diagnostics::{Diagnostic, Severity};
pub use ledger::{Fate, Occurrence};
pub use model::Project;
pub use options::Options;
pub use translate::{translate, Translation};
