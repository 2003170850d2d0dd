//! What a port must know beyond names: each file reads the model and adds findings, and changes nothing.

mod remarks;
pub(crate) mod warp;

use crate::translate::context::Context;
use crate::translate::resolve::Met;

/// Runs every analysis over a file.
pub(crate) fn run(cx: &mut Context, met: &[Met]) {
    remarks::run(cx, met);
    warp::run(cx, met);
}
