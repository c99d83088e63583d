//! The development world.
fn main() {}
