//! The shipped program.
fn main() {}
