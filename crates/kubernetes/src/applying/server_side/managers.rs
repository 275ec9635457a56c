//! The owners of fields: `metadata.managedFields`.

use std::fmt::{self, Display, Formatter};

use super::fields::{FieldSet, Step, shown_path};
use super::{Conflict, Typed};
use crate::kube::LAST_APPLIED;
use crate::sorted::SortedSet;
use crate::tree::Node;

/// How a manager writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Operation {
    /// By server-side apply.
    Apply,
    /// By any other request.
    Update,
}

/// The owner of fields. The order is that of the server, which compares JSON.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Manager {
    /// Its name.
    pub name: String,
    /// How it writes.
    pub operation: Operation,
    /// The version of its requests; empty for one that applies.
    pub api_version: String,
    /// The subresource that it writes to.
    pub subresource: String,
}

impl Manager {
    /// One that applies objects.
    pub(super) fn applier(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            operation: Operation::Apply,
            api_version: String::new(),
            subresource: String::new(),
        }
    }
}

impl Display for Manager {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.name)?;
        if !self.subresource.is_empty() {
            write!(out, " with subresource {:?}", self.subresource)?;
        }
        match self.operation {
            Operation::Apply => Ok(()),
            Operation::Update => write!(out, " using {}", self.api_version),
        }
    }
}

/// The owners of the fields of an object, the one that wrote last first.
#[derive(Clone, Default, Debug)]
pub struct Managers {
    entries: Vec<(Manager, FieldSet)>,
}

impl Managers {
    /// Reads `metadata.managedFields`; `None` if there are none, or one of them is unreadable.
    #[must_use]
    pub fn of(object: &Node) -> Option<Self> {
        let entries = object.at(&["metadata", "managedFields"])?.items();
        let read = |entry: &Node| {
            let text = |field: &str| entry.str_at(&[field]).unwrap_or_default().to_owned();
            let operation = match text("operation").as_str() {
                "Apply" => Operation::Apply,
                _ => Operation::Update,
            };
            let api_version = match operation {
                Operation::Apply => String::new(),
                Operation::Update => text("apiVersion"),
            };
            let (name, subresource) = (text("manager"), text("subresource"));
            let manager = Manager { name, operation, api_version, subresource };
            let fields = FieldSet::parse(entry.get("fieldsV1")?)?;
            Some((manager, fields))
        };
        let entries: Option<Vec<_>> = entries.iter().map(read).collect();
        entries.filter(|entries| !entries.is_empty()).map(|entries| Self { entries })
    }

    /// One manager that has applied a form.
    pub(in crate::applying) fn of_applier(name: &str, ty: Typed<'_>, form: &Node) -> Self {
        Self { entries: vec![(Manager::applier(name), ty.fields(form))] }
    }

    /// The managers and their fields.
    pub fn iter(&self) -> impl Iterator<Item = (&Manager, &FieldSet)> {
        self.entries.iter().map(|(manager, fields)| (manager, fields))
    }

    /// Sets the fields of a manager. Returns those that it had.
    pub(super) fn replace(&mut self, manager: Manager, fields: FieldSet) -> Option<FieldSet> {
        let known = self.entries.iter_mut().find(|(known, _)| *known == manager);
        if let Some((_, known)) = known {
            return Some(std::mem::replace(known, fields));
        }
        self.entries.push((manager, fields));
        None
    }

    /// The fields of all managers.
    pub(super) fn all(&self) -> FieldSet {
        self.iter().fold(FieldSet::default(), |all, (_, fields)| all.union(fields))
    }

    /// The changed fields of other managers, sorted by manager.
    pub(super) fn conflicts(&self, applier: &Manager, changed: &FieldSet) -> Vec<Conflict> {
        let mut conflicts = Vec::new();
        let mut others: Vec<_> = self.iter().filter(|(manager, _)| *manager != applier).collect();
        others.sort_by_key(|&(manager, _)| manager);
        for (manager, fields) in others {
            fields.intersection(changed).for_each(&mut |steps| {
                let (manager, path) = (manager.clone(), shown_path(steps));
                conflicts.push(Conflict { manager, path, steps: steps.to_vec() });
            });
        }
        conflicts
    }

    /// Takes changed and removed fields from other managers.
    pub(super) fn take(&mut self, applier: &Manager, changed: &FieldSet, removed: &FieldSet) {
        for (manager, fields) in &mut self.entries {
            if manager != applier {
                *fields = fields.difference(changed).difference(removed);
            }
        }
        self.entries.retain(|(_, fields)| !fields.is_empty());
    }

    /// The managers after kubectl has taken over the fields of client-side apply; `None` if there is nothing to take over
    /// (`UpgradeManagedFields`).
    pub(super) fn migrated(&self, applier: &str) -> Option<Self> {
        let annotation = ["metadata", "annotations", LAST_APPLIED];
        let annotation = annotation.map(|name| Step::Field(name.to_owned()));
        let owners = self.iter().filter(|(manager, fields)| {
            manager.operation == Operation::Update && fields.contains(&annotation)
        });
        let names: SortedSet<_> = owners.map(|(manager, _)| manager.name.clone()).collect();
        let mut entries = self.entries.clone();
        for name in names {
            let is_owner = |manager: &Manager| {
                manager.name == name
                    && manager.operation == Operation::Update
                    && manager.subresource.is_empty()
            };
            let owned = entries.iter().find(|(manager, _)| is_owner(manager));
            let Some((_, owned)) = owned.cloned() else { continue };
            let target = Manager::applier(applier);
            match entries.iter_mut().find(|(manager, _)| *manager == target) {
                Some((_, fields)) => *fields = std::mem::take(fields).union(&owned),
                None => entries.push((target, owned)),
            }
            entries.retain(|(manager, _)| !is_owner(manager));
        }
        (entries.len() != self.entries.len() || entries != self.entries).then_some(Self { entries })
    }
}
