//! `Installed`: the kinds of a system that were read. They are the same in every run of a process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::CustomKind;
use crate::schema::Arena;
use crate::sorted::SortedMap;

/// The group, the name and the read versions of a kind.
type Key = (&'static str, &'static str, Vec<&'static str>);
type Kinds = SortedMap<Key, Arc<CustomKind<'static>>>;

/// The kinds of a system that were read.
#[derive(Debug)]
pub struct Installed {
    kinds: Mutex<Kinds>,
}

impl Default for Installed {
    fn default() -> Self {
        Self::new()
    }
}

impl Installed {
    /// No kinds.
    pub const fn new() -> Self {
        Self { kinds: Mutex::new(SortedMap::new()) }
    }

    /// The kind with this key; `read` reads it the first time.
    pub(super) fn get_or_read(
        &self,
        key: Key,
        read: impl FnOnce(&'static Arena<'static>) -> Option<CustomKind<'static>>,
    ) -> Option<Arc<CustomKind<'static>>> {
        if let Some(known) = self.locked().get(&key) {
            return Some(Arc::clone(known));
        }
        // Not locked meanwhile: a thread that reads can start other work that needs the kind.
        let kind = Arc::new(read(Box::leak(Box::new(Arena::new())))?);
        Some(Arc::clone(self.locked().entry(key).or_insert(kind)))
    }

    fn locked(&self) -> MutexGuard<'_, Kinds> {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
