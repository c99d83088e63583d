//! Rebuilds the crate when a migration is added, because migrations are compiled into it.
fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
