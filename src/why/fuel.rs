//! The fuel of explanations.

use crate::diag::too_much_work;
use crate::kube::Object;
use crate::limits::Fuel;
use crate::object_query::QueryError;

/// Spends fuel for an explanation of this number of fields, each of which takes a compilation of the
/// object.
pub(super) fn spend_on_fields(
    fuel: &Fuel<'_>,
    object: &Object,
    fields: usize,
) -> Result<(), QueryError> {
    require(fuel.make(fields.saturating_mul(OF_FIELD + object.root.weight())), fuel)
}

/// Spends fuel for the paths of all fields of an object. They repeat each key as often as there are fields
/// below it.
pub(super) fn spend_on_paths(fuel: &Fuel<'_>, bytes: usize) -> Result<(), QueryError> {
    require(fuel.spend(bytes.saturating_mul(OF_BYTE)), fuel)
}

/// The values that are made in the time of the compilation of a small object.
const OF_FIELD: usize = 500;
/// The steps of a byte of a path.
const OF_BYTE: usize = 4;

fn require(has_fuel: bool, fuel: &Fuel<'_>) -> Result<(), QueryError> {
    if has_fuel {
        return Ok(());
    }
    Err(QueryError {
        message: too_much_work(fuel, "explain all fields"),
        help: "add the path of one of them after the object".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::shared_kinds;
    use crate::source::Workspace;
    use crate::tree::{Node, Origin};
    use crate::why::route::bytes_of_paths;

    #[test]
    fn explanations_spend_fuel() {
        let origin = Origin::source(Workspace::new().start());
        let node =
            Node::from_json(serde_json::json!({"a": {"bc": [1, {"d": 2}], "e": {}}}), origin);
        // Each step counts with its separator, and an index as one byte: 6, 8 and 4.
        assert_eq!(bytes_of_paths(&node), 18);
        for (steps, is_ok) in [(72, true), (71, false)] {
            let fuel = Fuel::of(steps);
            assert_eq!(spend_on_paths(&fuel, 18).is_ok(), is_ok, "{steps}");
        }
        let error = spend_on_paths(&Fuel::of(1_000), 1_000).unwrap_err();
        assert_eq!(error.to_string(), "this run takes more than 1,000 steps to explain all fields");
        let object = Object {
            gvk: shared_kinds().get("v1", "Pod"),
            name: "a".into(),
            namespace: "".into(),
            root: node,
            document: origin.span(),
        };
        assert!(spend_on_fields(&Fuel::of_run(0), &object, 10_000).is_ok());
        assert!(spend_on_fields(&Fuel::of_run(0), &object, 100_000).is_err());
    }
}
