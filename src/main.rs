//! The `halfpoint` binary.
fn main() {}
