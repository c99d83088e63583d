//! The whole source against servers on loopback that misbehave, and against contents that do.

mod contents;
mod network;
mod pictures;
mod server;

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::nfts::metadata::{Image, Metadata, MetadataSource};
use domain::nfts::MetadataFault;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::guard::{Network, Patience};
use super::{GuardedMetadata, Limits};
use server::{Reply, Server};

/// A public address, which tests reach on loopback.
const PUBLIC: &str = "93.184.215.14";

/// Time limits that no test reaches which does not mean to.
const LIMITS: Limits = Limits {
    patience: Patience { connect: Duration::from_mins(1), total: Duration::from_mins(1) },
    decoding: Duration::from_mins(1),
    document_bytes: 64 * 1024,
    picture_bytes: 256 * 1024,
};

/// Answers of the domain name system: by name, one list of addresses after another. The last one stays.
#[derive(Clone)]
struct Names {
    /// The addresses of every other name.
    default: Vec<IpAddr>,
    answers: Arc<HashMap<String, Vec<Vec<IpAddr>>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Default for Names {
    fn default() -> Self {
        Self { default: vec![PUBLIC.parse().unwrap()], answers: Arc::default(), asked: Arc::default() }
    }
}

impl Names {
    fn of(answers: &[(&str, &[&[&str]])]) -> Self {
        let parsed = |list: &&[&str]| list.iter().map(|address| address.parse().unwrap()).collect();
        let answers =
            answers.iter().map(|(name, lists)| ((*name).to_owned(), lists.iter().map(parsed).collect())).collect();
        Self { answers: Arc::new(answers), ..Self::default() }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let mut asked = self.asked.lock().unwrap();
        let times = asked.iter().filter(|one| *one == name.as_str()).count();
        asked.push(name.as_str().to_owned());
        let answer = match self.answers.get(name.as_str()) {
            Some(lists) => lists[times.min(lists.len() - 1)].clone(),
            None => self.default.clone(),
        };
        let answer: Addrs = Box::new(answer.into_iter().map(|ip| SocketAddr::new(ip, 0)));
        Box::pin(std::future::ready(Ok(answer)))
    }
}

/// Returns a source for which every address is a server's, so that only the guard protects addresses that are not public.
fn source_at(server: &Server, names: &Names, limits: Limits) -> GuardedMetadata {
    let private = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fd00::1"];
    let addresses = private.into_iter().chain([PUBLIC]).map(|address| (address.parse().unwrap(), server.address));
    let network = Network {
        names: Arc::new(names.clone()),
        detours: addresses.collect(),
        authorities: vec![server.authority.clone()],
    };
    GuardedMetadata::over(network, Some("https://gateway.strangers.example".parse().unwrap()), limits).unwrap()
}

/// Returns a source without servers.
fn source_alone() -> GuardedMetadata {
    let network = Network { names: Arc::new(Names::default()), detours: HashMap::new(), authorities: Vec::new() };
    GuardedMetadata::over(network, None, LIMITS).unwrap()
}

fn fault(metadata: &Metadata) -> MetadataFault {
    match &metadata.image {
        Image::Refused(fault) => *fault,
        Image::Picture(_) => panic!("accepted: {metadata:?}"),
    }
}

fn has_picture(metadata: &Metadata) -> bool {
    matches!(metadata.image, Image::Picture(_))
}
