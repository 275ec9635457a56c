//! Lists: replaced whole, appended to, or merged item by item where items have an identity.

use thin_vec::ThinVec;

use super::findings;
use super::key::{are_equal, fingerprint, identity};
use super::overlay::{Place, Run, Wins, adopt_value, joint_origin};
use super::strategy::{self, Strategy};
use crate::schema::Type;
use crate::sorted::SortedMap;
use crate::tree::{Node, Value};

impl Run<'_> {
    pub(super) fn merge_lists(
        &mut self,
        base: Node,
        over: &Node,
        above: &[Node],
        ty: Type<'_>,
        strategy: Strategy<'_>,
        at: Place<'_>,
    ) -> Node {
        let items = match ty {
            Type::List(list) => strategy::structural_type(list.items),
            _ => Type::Any,
        };
        if matches!(strategy, Strategy::Replace | Strategy::ReplaceKeeping(_)) {
            return self.replace(base, over, at);
        }
        self.report_empty(base.items(), above, base.origin(), over, at);
        let origin = joint_origin(base.origin(), over.origin());
        let below = base.into_items();
        let merged = match strategy {
            Strategy::ByKey(keys) => self.merge_by_key(below, above, items, keys, at),
            _ => self.append(below, above, at),
        };
        Node::new(Value::List(merged), origin)
    }

    /// Appends the items of the layer that the list below does not have.
    fn append(&mut self, below: ThinVec<Node>, above: &[Node], at: Place<'_>) -> ThinVec<Node> {
        let known: SortedMap<_, _> =
            below.iter().map(|item| (fingerprint(item), item.origin())).collect();
        let mut items = below;
        for item in above {
            match known.get(&fingerprint(item)) {
                Some(_) if item.origin().layer().is_some() => {}
                Some(first) => self.report(|| findings::repeated_item(*first, item, at.path)),
                None => items.push(adopt_value(item)),
            }
        }
        items
    }

    /// Merges items with equal keys in place; the others follow in the layer's order.
    ///
    /// Each item below is merged with at most one item of the layer: a duplicate key in the layer
    /// stays in the result, where the check of the object reports it.
    fn merge_by_key(
        &mut self,
        below: ThinVec<Node>,
        above: &[Node],
        items: Type<'_>,
        keys: &[&str],
        at: Place<'_>,
    ) -> ThinVec<Node> {
        let mut positions: SortedMap<_, _> = below
            .iter()
            .zip(0_usize..)
            .filter_map(|(item, position)| Some((identity(item, keys, items).ok()?, position)))
            .collect();
        let mut merged = below;
        for item in above {
            let key = match identity(item, keys, items) {
                Ok(key) => key,
                Err(missing) => {
                    self.report(|| findings::item_without_key(item, missing, at.path));
                    continue;
                }
            };
            let position = positions.remove(&key);
            match position.and_then(|at| merged.get_mut(at).zip(Some(at))) {
                None => merged.push(adopt_value(item)),
                Some((found, position)) => {
                    let path = at.path.index(position);
                    let inner = Place { path: &path, depth: at.depth + 1 };
                    self.merge_item(found, item, items, inner);
                }
            }
        }
        merged
    }

    fn merge_item(&mut self, found: &mut Node, item: &Node, items: Type<'_>, at: Place<'_>) {
        let repeats = self.wins == Wins::Over && are_equal(found, item);
        let first = found.origin();
        let reported = self.reported();
        let placeholder = Node::list(Vec::new(), item.origin());
        let below = std::mem::replace(found, placeholder);
        *found = self.merge(below, item, items, strategy::of_type(items), at);
        // The author cannot remove an item that a built-in layer repeats.
        if repeats && item.origin().layer().is_none() {
            // One message for the item replaces those for the lists in it.
            self.forget_since(reported);
            self.report(|| findings::repeated_item(first, item, at.path));
        }
    }
}
