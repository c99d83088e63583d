use super::officers;
use super::people::{LOGIN_PASSWORD, PEOPLE, SECURITY_PASSWORD};

/// Prints the users and officers of the demo world and what to try first. `url` is the product's address.
pub(crate) fn print(url: &str) {
    println!(
        "Demo users. All have the login password {LOGIN_PASSWORD} and the security password {SECURITY_PASSWORD}:\n"
    );
    println!("  {:<13} {:<7} {:<19} good for", "nickname", "region", "email");
    for who in PEOPLE {
        println!("  {:<13} {:<7} {:<19} {}", who.nickname, who.region, who.email(), who.good_for);
    }
    println!();
    officers::print(url);
    println!("Things to try first:");
    println!("  1. Log in as hana@demo.test: Minjun has paid an order. Confirm it with the security password");
    println!("     and watch 60 MEC go to Minjun's own address on the chain.");
    println!("  2. Log in as minjun@demo.test in another browser, buy from an automatic ad, and send the USDT");
    println!("     on the wallets page: the MEC is released automatically.");
    println!("  3. Register as yourself: the pass offers Ivan, Jun, Kofi and Leila, who are not registered yet.");
    println!("  4. Sign in to the console as olga@officers.test: Goran says that he has paid Dalia, and Dalia has");
    println!("     appealed. Join the case, compare the evidence, decide, and move the clock by a day.");
    println!("  5. Move the clock by a day and watch deadlines pass.\n");
}
