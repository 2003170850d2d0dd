//! Inline PTX: reading `asm` statements and writing them as C++ for AMD.
//!
//! [`Statement::at`] reads the C side (text, operands, constraints), [`parse`] the PTX in it, and
//! [`emit::translate`] puts both together by the forms of `rules/ptx.toml`. A statement is translated whole or not at
//! all: one instruction that has no form leaves it as it is, with a [`Refusal`] that names the instruction.

pub mod emit;
pub mod forms;
pub mod parse;
mod statement;

pub use statement::{Constraint, Operand, Statement};

/// Why a statement was left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The instruction that has no translation; empty where the statement could not be read at all.
    pub instruction: String,
    /// In one line, without a full stop.
    pub why: String,
    /// What to do instead.
    pub help: Option<String>,
}

impl Refusal {
    fn new(instruction: &str, why: impl Into<String>) -> Refusal {
        Refusal {
            instruction: instruction.to_string(),
            why: why.into(),
            help: Some(forms::advice(instruction).unwrap_or(forms::ADVICE_FOR_ALL).to_string()),
        }
    }
}
