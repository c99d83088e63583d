//! What the supervisor prints about the demo world.

use super::people::{LOGIN_PASSWORD, PEOPLE, SECURITY_PASSWORD};

/// Prints its people and what to try first.
pub(crate) fn print() {
    println!(
        "Its people; the login password of each is {LOGIN_PASSWORD}, the security password {SECURITY_PASSWORD}:\n"
    );
    println!("  {:<13} {:<7} {:<19} good for", "nickname", "region", "e-mail");
    for who in PEOPLE {
        println!("  {:<13} {:<7} {:<19} {}", who.nickname, who.region, who.email(), who.good_for);
    }
    println!();
    println!("CommandKind to try first:");
    println!("  1. Log in as hana@demo.test: an order of Minjun's is paid. Confirm it with the security password,");
    println!("     and see 60 MEC leave for Minjun's own address on the chain.");
    println!("  2. Log in as minjun@demo.test in another browser, buy from an automatic advert, and send the USDT");
    println!("     on the page of the wallets: it is released by itself.");
    println!("  3. Register as yourself: the pass offers Ivan, Jun, Kofi and Leila, who are not registered yet.");
    println!("  4. Move the clock a day and see deadlines pass.\n");
}
