//! The systems whose objects this compiler knows, one folder each. They never import each other,
//! and no code outside this folder names one: the stages read [`DIALECTS`].

mod agent_sandbox;
mod idegym;
mod kelos;
mod nodepool;
mod osa;

use std::sync::LazyLock;

use crate::decode::{Docs, Record};
use crate::kube::SharedKinds;
use crate::lower::{Dialect, Import, Kind, Override, Setup};
use crate::project::ProjectSpec;
use crate::schema::{Object, Property};
use crate::sorted::CompactSort as _;
use crate::tree::{Node, Origin};

/// All systems.
pub(crate) static DIALECTS: &[&Dialect] = &[
    &agent_sandbox::DIALECT,
    &kelos::DIALECT,
    &idegym::DIALECT,
    &osa::DIALECT,
    &nodepool::DIALECT,
];

/// The settings of each system, from its block of the Project and the command line.
pub(crate) fn setups(blocks: &Node, overrides: &[Override], nowhere: Origin) -> Vec<Setup> {
    let setup = |dialect: &&'static Dialect| {
        let block = dialect.settings.as_ref().and_then(|settings| blocks.get(settings.key));
        Setup::new(dialect, block.cloned(), overrides, nowhere)
    };
    DIALECTS.iter().map(setup).collect()
}

/// The kinds of a run, with the facts that the systems declare about theirs.
pub(crate) fn shared_kinds() -> SharedKinds {
    SharedKinds::new(DIALECTS.iter().flat_map(|it| it.kind_facts))
}

/// The systems whose files can be imported.
pub(crate) fn importers() -> impl Iterator<Item = (&'static Dialect, &'static Import)> {
    DIALECTS.iter().filter_map(|dialect| Some((*dialect, dialect.import.as_ref()?)))
}

/// The description of the files of a system, if a document is one: `a nodepool.yaml`.
pub(crate) fn describe_file(root: &Node) -> Option<&'static str> {
    importers().find(|(_, import)| (import.recognizes)(root)).map(|(_, import)| import.what)
}

/// The kinds of all systems.
pub(crate) fn kinds() -> impl Iterator<Item = &'static Kind> {
    DIALECTS.iter().flat_map(|it| it.kinds)
}

/// `Project.spec` with the blocks of all systems.
pub(crate) static PROJECT: LazyLock<Docs> = LazyLock::new(|| Docs {
    object: &PROJECT_OBJECT,
    summary: ProjectSpec::DOCS.summary,
    fields: &PROJECT_PARTS.fields,
    flattened: &[],
    nested: &PROJECT_PARTS.nested,
});

static PROJECT_OBJECT: LazyLock<Object<'static>> =
    LazyLock::new(|| Object::new(ProjectSpec::OBJECT.name, &PROJECT_PARTS.properties));

static PROJECT_PARTS: LazyLock<Parts> = LazyLock::new(|| {
    let own = ProjectSpec::DOCS;
    let mut parts = Parts {
        properties: own.object.properties.to_vec(),
        fields: own.fields.to_vec(),
        nested: own.nested.to_vec(),
    };
    for block in DIALECTS.iter().filter_map(|dialect| dialect.settings.as_ref()) {
        parts.properties.push(block.property());
        parts.fields.push((block.key, block.summary));
        parts.nested.push(Some(block.docs));
    }
    parts.properties.compact_sort_by_key(|it| it.name);
    parts
});

struct Parts {
    properties: Vec<Property<'static>>,
    fields: Vec<(&'static str, &'static str)>,
    nested: Vec<Option<&'static Docs>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Type;

    /// Each field whose Kubernetes type is not in the tables, because its name is misspelled.
    fn unresolved(docs: &'static Docs, found: &mut Vec<String>) {
        for property in docs.object.properties {
            if matches!(property.value, Type::Reference(_))
                && matches!(property.value.resolve(), Type::Any)
            {
                found.push(format!("{}: {}", docs.object.name, property.name));
            }
        }
        for inner in docs.nested.iter().flatten() {
            unresolved(inner, found);
        }
    }

    #[test]
    fn every_kubernetes_type_of_the_language_is_in_the_tables() {
        let mut found = Vec::new();
        for kind in kinds() {
            unresolved(kind.docs, &mut found);
        }
        unresolved(&PROJECT, &mut found);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_kind_is_found_by_the_name_of_its_record() {
        for kind in kinds() {
            assert_eq!(kind.docs.object.name, format!("{}.spec", kind.name));
        }
    }

    #[test]
    fn facts_about_a_kind_are_found() {
        let kinds = shared_kinds();
        let facts = || DIALECTS.iter().flat_map(|it| it.kind_facts);
        for it in facts() {
            let found = kinds.get(&format!("{}/v1", it.group), it.kind).facts();
            assert!(found.is_some_and(|found| std::ptr::eq(found, it)), "{}/{}", it.group, it.kind);
            assert!(it.apply_rank.is_none_or(|rank| rank < 100), "{}", it.kind);
        }
        assert!(kinds.get("v1", "Pod").facts().is_none());
    }

    /// Names of files tell kinds with a rank apart without their group.
    #[test]
    fn kinds_with_a_rank_have_different_names() {
        let facts = DIALECTS.iter().flat_map(|it| it.kind_facts);
        let ranked = facts.filter(|fact| fact.apply_rank.is_some()).map(|it| it.kind);
        let built_in = crate::schema::store::kinds().iter().map(|kind| (kind.group, kind.kind));
        let built_in: std::collections::BTreeSet<_> = built_in.collect();
        let mut names: Vec<_> = ranked.chain(built_in.into_iter().map(|it| it.1)).collect();
        names.sort_unstable();
        let ours =
            |name: &str| DIALECTS.iter().flat_map(|it| it.kind_facts).any(|fact| fact.kind == name);
        assert!(names.windows(2).all(|pair| pair[0] != pair[1] || !ours(pair[0])), "{names:?}");
    }

    #[test]
    fn names_are_different_and_a_block_requires_nothing() {
        let mut names: Vec<_> = kinds().map(|it| it.name).collect();
        names.extend(DIALECTS.iter().map(|it| it.name));
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        for block in DIALECTS.iter().filter_map(|dialect| dialect.settings.as_ref()) {
            assert!(block.docs.object.properties.iter().all(|it| !it.is_required), "{}", block.key);
        }
    }
}
