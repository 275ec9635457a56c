//! `Remarks`: the reasons that controllers create objects, and how.

use lean_string::LeanStr;
use serde::Serialize;

use super::Object;
use crate::sorted::SortedMap;

/// The reason that a controller creates an object, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Remark {
    /// `warm` or `cold` for the Sandbox of a claim, `idle` for a member of a pool.
    pub mode: &'static str,
    /// The kind of the object that it is created for.
    pub source_kind: &'static str,
    /// The name of that object, in the same namespace.
    pub source_name: String,
    /// The reason as a sentence.
    pub reason: String,
}

type Key = (LeanStr, LeanStr, LeanStr);

/// The remarks on the objects of a run, by kind, namespace and name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Remarks {
    by_object: SortedMap<Key, Remark>,
}

impl Remarks {
    /// The remark on an object.
    #[must_use]
    pub fn on(&self, object: &Object) -> Option<&Remark> {
        let gvk = object.gvk();
        let key = (gvk.kind().into(), object.namespace().into(), object.name().into());
        self.by_object.get(&key)
    }

    /// Adds all remarks of another run.
    pub fn extend(&mut self, other: Self) {
        self.by_object.extend(other.by_object);
    }

    /// Adds the remark on an object.
    pub fn add(&mut self, kind: &str, namespace: &str, name: &str, remark: Remark) {
        self.by_object.insert((kind.into(), namespace.into(), name.into()), remark);
    }
}
