//! Maps of bounded size, for data that can be read again from the database.

use std::collections::HashMap;
use std::hash::Hash;

/// A map in two halves. When the newer half is full, the older half is forgotten.
#[derive(Debug)]
pub struct Recent<K, V> {
    /// The maximum weight of a half.
    most: usize,
    weight: usize,
    newer: HashMap<K, (V, usize)>,
    older: HashMap<K, (V, usize)>,
}

impl<K: Hash + Eq, V> Recent<K, V> {
    /// Creates a map whose entries may weigh `most` together.
    pub fn new(most: usize) -> Self {
        Self { most: most.div_euclid(2), weight: 0, newer: HashMap::new(), older: HashMap::new() }
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.newer.get(key).or_else(|| self.older.get(key)).map(|(value, _)| value)
    }

    /// Returns the value of a key, and keeps it among the newer entries.
    pub fn renew(&mut self, key: &K) -> Option<&V> {
        if let Some((key, (value, weight))) = self.older.remove_entry(key) {
            // A newer value replaces an older one.
            if !self.newer.contains_key(&key) {
                self.insert(key, value, weight);
            }
        }
        self.newer.get(key).map(|(value, _)| value)
    }

    /// Inserts a value. Returns whether the older half was forgotten.
    pub fn insert(&mut self, key: K, value: V, weight: usize) -> bool {
        if let Some((_, replaced)) = self.newer.remove(&key) {
            self.weight = self.weight.saturating_sub(replaced);
        }
        let full = self.weight.saturating_add(weight) > self.most && !self.newer.is_empty();
        if full {
            self.older = std::mem::take(&mut self.newer);
            self.weight = 0;
        }
        self.weight = self.weight.saturating_add(weight);
        self.newer.insert(key, (value, weight));
        full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_older_half_is_forgotten_and_what_is_used_is_kept() {
        let mut recent = Recent::new(4);
        for key in 0..2 {
            assert!(!recent.insert(key, key, 1));
        }
        assert!(recent.insert(2, 2, 1));
        assert_eq!(recent.renew(&0), Some(&0));
        assert_eq!(recent.get(&1), Some(&1));
        assert!(recent.insert(3, 3, 1));
        assert_eq!((0..4).filter(|key| recent.get(key).is_some()).collect::<Vec<_>>(), [0, 2, 3]);
    }

    #[test]
    fn a_replaced_value_no_longer_counts() {
        let mut recent = Recent::new(4);
        for value in 0..10 {
            assert!(!recent.insert('a', value, 2));
        }
        assert_eq!(recent.get(&'a'), Some(&9));
        assert!(recent.insert('b', 0, 3), "an entry that is too heavy is kept alone");
        assert_eq!((recent.get(&'a'), recent.get(&'b')), (Some(&9), Some(&0)));
    }
}
