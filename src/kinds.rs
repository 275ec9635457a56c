//! Every kind of definition: the one list that the compiler, the JSON Schema and the messages read.

use crate::dialect::agent_sandbox;
use crate::lower::Kind;

/// All kinds, system by system.
pub(crate) static KINDS: &[&[Kind]] = &[agent_sandbox::KINDS];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Docs;
    use crate::schema::Type;

    /// Each field whose Kubernetes type is not in the tables: a name was misspelt.
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
        for kind in KINDS.iter().copied().flatten() {
            unresolved(kind.docs, &mut found);
        }
        assert!(found.is_empty(), "{found:?}");
    }
}
