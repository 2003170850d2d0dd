//! Any bytes translate without a panic, and translating the output changes nothing.
//! Good seeds: `cargo +nightly fuzz run translate fuzz/corpus/translate fixtures/*`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use tranship::model::FileFacts;
use tranship::{translate, Options, Project};

fn output(bytes: &[u8]) -> Vec<u8> {
    let path = Path::new("fuzz.cu");
    let mut project = Project::default();
    project.add(path, FileFacts::gather(path, bytes));
    translate(path, bytes, &project, &Options::default())
        .text
        .unwrap_or_else(|| bytes.to_vec())
}

fuzz_target!(|bytes: &[u8]| {
    let once = output(bytes);
    assert!(output(&once) == once, "translating the output changed it");
});
