//! Labels of the Namespace and the Pod of a node: the author's, dynamic ones, and Nodepool's own.

use super::dynamic_label::Template;
use super::model::LabelModel;
use super::nodes::PlannedNode;
use crate::decode::Text;
use crate::scalar::check_label_value;
use crate::tree::Node;

const NODE_ID: &str = "nodepool_node_id";
const PROVIDER_NAME: &str = "nodepool_provider_name";
const POOL_NAME: &str = "nodepool_pool_name";
const NODE_LABEL: &str = "nodepool_node_label";
/// The labels that the launcher uses to find its nodes.
pub(super) const MANAGED: [&str; 4] = [NODE_ID, PROVIDER_NAME, POOL_NAME, NODE_LABEL];
/// The annotation with unresolved dynamic labels, whose values depend on a request, as JSON.
pub(super) const UNRESOLVED: &str = "nodepool.sandboxc.dev/dynamic-labels";

/// The labels of a node, and the dynamic ones that depend on an unknown request.
pub(super) struct NodeLabels {
    /// The author's labels and the dynamic ones.
    pub(super) own: Node,
    /// Nodepool's labels.
    pub(super) managed: Node,
    /// The format strings as JSON; `None` if each label has its value.
    pub(super) unresolved: Option<Node>,
}

impl NodeLabels {
    pub(super) fn of(node: &PlannedNode<'_>, provider: Node) -> Self {
        let origin = node.label.managed();
        let label = &node.label.label;
        let mut own = label.labels.clone().map_or_else(|| Node::map(origin), |it| it.node);
        let (mut values, mut unresolved) = (Vec::new(), serde_json::Map::new());
        for (key, text) in dynamic_labels(node.label) {
            if let Ok(template) = Template::parse(text.as_str())
                && let Ok(value) = template.render(node.request, label.name.node())
                && check_label_value(&value).is_ok()
            {
                values.push((key, Node::string(value, text.node().origin())));
            } else {
                // No request; other faults have been reported.
                unresolved.insert(key.to_owned(), text.node().to_json());
            }
        }
        own.set_all(values);
        let mut managed = Node::map(origin);
        managed.set(NODE_ID, Node::string(node.id_text(), origin));
        managed.set(PROVIDER_NAME, provider);
        managed.set(POOL_NAME, node.pool.pool.name.node().clone());
        managed.set(NODE_LABEL, label.name.node().clone());
        let has_unresolved = !unresolved.is_empty();
        let json = serde_json::Value::Object(unresolved);
        let unresolved = has_unresolved.then(|| Node::string(json.to_string(), origin));
        Self { own, managed, unresolved }
    }

    /// All labels in one map.
    pub(super) fn together(&self) -> Node {
        let mut all = self.own.clone();
        for entry in self.managed.entries() {
            all.set(entry.key.text().clone(), entry.value.clone());
        }
        all
    }
}

/// The dynamic labels of a label: key and format string.
pub(super) fn dynamic_labels(label: &LabelModel) -> impl Iterator<Item = (&str, &Text)> {
    let labels = label.label.dynamic_labels.iter().flat_map(|it| &it.entries);
    labels.map(|(key, text)| (key.as_str(), text))
}
