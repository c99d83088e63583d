//! What can happen. Each file adds the actions of one subject; a new feature adds a file and names it here.

use std::sync::LazyLock;

use futures::future::LocalBoxFuture;

use crate::draws::Draws;
use crate::{Result, World};

/// Something that a user, a process, the chain, a node, an officer or the clock does.
pub struct Action {
    pub name: &'static str,
    /// How often it happens, relative to the others.
    pub weight: usize,
    run: for<'a> fn(&'a mut World, &'a mut Draws) -> LocalBoxFuture<'a, Result<()>>,
}

impl Action {
    pub(crate) async fn take(&self, world: &mut World, seed: u64) -> Result<()> {
        (self.run)(world, &mut Draws::new(seed)).await
    }
}

/// Declares the actions of a file: names, weights and functions.
macro_rules! actions {
    ($($name:literal, $weight:literal, $run:path;)*) => {
        pub(super) const ACTIONS: &[crate::actions::Action] = &[$(crate::actions::Action {
            name: $name,
            weight: $weight,
            run: |world, draws| Box::pin($run(world, draws)),
        }),*];
    };
}
pub(crate) use actions;

macro_rules! features {
    ($($feature:ident)*) => {
        $(mod $feature;)*

        /// All actions. Their order determines what a seed means.
        pub fn all() -> &'static [&'static Action] {
            static ALL: LazyLock<Vec<&'static Action>> =
                LazyLock::new(|| [$($feature::ACTIONS),*].into_iter().flatten().collect());
            &ALL
        }
    };
}

features! { trading coins chain nodes processes time officers readers talk appeals payouts nfts }
