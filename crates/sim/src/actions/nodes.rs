//! Nodes that are down, lag, lie, forget, or lose requests and responses.

use chain::node::{Log, NodeError, SendError};
use chain::scripted::{Fault, Method, Wrote};
use domain::chain::{Token, TxHash};
use testkit::market::{USDT_CONTRACT, usdt};

use crate::draws::Draws;
use crate::{Result, World};

super::actions! {
    "break a node", 25, break_a_node;
    "lie", 8, lie;
    "heal all nodes", 30, heal_all_nodes;
}

const METHODS: [Method; 13] = [
    Method::ChainId,
    Method::Head,
    Method::Header,
    Method::Block,
    Method::Succeeded,
    Method::Logs,
    Method::Holding,
    Method::Code,
    Method::Nonce,
    Method::Fees,
    Method::Ask,
    Method::Send,
    Method::Receipt,
];

async fn break_a_node(world: &mut World, draws: &mut Draws) -> Result<()> {
    let place = draws.below(world.nodes.len());
    let node = &world.nodes[place];
    let method = *draws.pick(&METHODS).expect("a method");
    match draws.below(8) {
        0 => node.set_down(true),
        1 => node.set_lag(u64::try_from(1 + draws.below(8)).expect("small")),
        2 => node.set_forgetful(true),
        3 => node.set_most_blocks(Some(2)),
        4 => node.fail_next(method, Fault::Fails(NodeError::Transient("overloaded".to_owned()))),
        5 => node.fail_next(method, Fault::LosesAnswer),
        6 => node.fail_next(Method::Send, Fault::LosesAnswer),
        _ => node.fail_next(Method::Send, Fault::Refuses(SendError::Underpriced("too little".to_owned()))),
    }
    world.sick.insert(place);
    world.counts.add("node faults", 1);
    Ok(())
}

/// A node hides all logs, or reports a deposit that never happened. Only one node lies, because the product believes
/// what two nodes agree on.
async fn lie(world: &mut World, draws: &mut Draws) -> Result<()> {
    let liar = &world.nodes[0];
    if draws.chance(50) {
        liar.set_blind(true);
    } else {
        let person = &draws.pick(&world.users).expect("a user").user;
        let token = Token::Erc20(USDT_CONTRACT);
        let Wrote { contract, topics, data } =
            Wrote::transfer(token, person.bound.expect("a bound address"), person.vault, usdt("1000"));
        let block = world.script.mine();
        let tx = TxHash([0xf0; 32]);
        liar.forge(vec![Log { contract, topics, data, block: block.number, block_hash: block.hash, tx, index: 1_000 }]);
    }
    world.sick.insert(0);
    world.counts.add("lies of nodes", 1);
    Ok(())
}

async fn heal_all_nodes(world: &mut World, _draws: &mut Draws) -> Result<()> {
    world.heal();
    Ok(())
}
