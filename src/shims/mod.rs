//! Shim headers: units in `rules/shims/*.hpp`, compiled in. Only the units used are written.

/// One unit: `tranship/<name>.hpp` in the output.
#[derive(Debug)]
pub struct Unit {
    pub name: &'static str,
    pub text: &'static str,
    /// Units that this one includes.
    pub needs: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/shims.rs"));

/// The unit of that name.
pub fn unit(name: &str) -> Option<&'static Unit> {
    UNITS.iter().find(|u| u.name == name)
}
