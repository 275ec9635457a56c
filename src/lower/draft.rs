//! `Draft`: one object that a definition is compiled to, until it is emitted.

use lean_string::LeanStr;
use thin_vec::ThinVec;

use super::{Frame, Lowering};
use crate::decode::Text;
use crate::diag::Sink;
use crate::kube::{Object, SharedKinds, order_fields};
use crate::limits::Fuel;
use crate::merge::{self, GUARDED_FIELD, Guard, Hold, Name, Step};
use crate::schema::Type;
use crate::tree::{Entry, Node, Path, Value};

/// An object under construction. It has the definition's name, namespace, labels and annotations by
/// default.
#[derive(Debug)]
#[must_use = "nothing is added to the output before `emit`"]
pub(crate) struct Draft<'d> {
    frame: &'d Frame,
    kinds: &'d SharedKinds,
    objects: &'d mut Vec<Object>,
    fuel: &'d Fuel<'d>,
    sink: &'d mut Sink,
    api_version: &'static str,
    kind: &'static str,
    name: Node,
    namespace: Option<Node>,
    labels: Option<Node>,
    annotations: Option<Node>,
    /// The labels that the author must not change, and their owner.
    owned: Option<(Node, &'static str)>,
    root: Node,
}

impl<'d> Draft<'d> {
    pub(super) fn new(
        lowering: &'d mut Lowering<'_, '_>,
        frame: &'d Frame,
        api_version: &'static str,
        kind: &'static str,
    ) -> Self {
        let namespace = frame.metadata().namespace.clone().map(Text::into_node);
        Self {
            frame,
            kinds: lowering.kinds,
            objects: &mut lowering.objects,
            fuel: lowering.fuel,
            sink: &mut *lowering.sink,
            api_version,
            kind,
            name: frame.name(),
            namespace,
            labels: None,
            annotations: None,
            owned: None,
            root: frame.map(),
        }
    }

    /// Sets a name other than the definition's.
    pub(crate) fn name(self, name: Node) -> Self {
        Self { name, ..self }
    }

    /// Sets a namespace other than the definition's.
    pub(crate) fn namespace(self, namespace: Option<Node>) -> Self {
        Self { namespace, ..self }
    }

    /// Removes the namespace, for a cluster-scoped kind.
    pub(crate) fn cluster_scoped(self) -> Self {
        self.namespace(None)
    }

    /// Adds labels of the managed layer, as a map. The author's labels take precedence.
    pub(crate) fn labels(self, labels: Node) -> Self {
        Self { labels: Some(labels), ..self }
    }

    /// Like [`labels`](Self::labels), but the author must not change them: `owner` needs them ("the
    /// selector of the Deployment").
    pub(crate) fn owned_labels(self, labels: Node, owner: &'static str) -> Self {
        Self { owned: Some((labels, owner)), ..self }
    }

    /// Adds annotations of the managed layer, as a map. The author's annotations take precedence.
    pub(crate) fn annotations(self, annotations: Node) -> Self {
        Self { annotations: Some(annotations), ..self }
    }

    /// Sets a field of the object: `spec`, `data`, `rules`.
    pub(crate) fn set(mut self, key: &'static str, value: Node) -> Self {
        self.root.set(LeanStr::from_static_str(key), value);
        self
    }

    /// Sets a field if there is a value.
    pub(crate) fn set_some(self, key: &'static str, value: Option<Node>) -> Self {
        match value {
            Some(value) => self.set(key, value),
            None => self,
        }
    }

    /// Adds the object to the output, if there is fuel for it.
    pub(crate) fn emit(self) {
        let Self { frame, kinds, objects, fuel, sink, api_version, kind, owned, .. } = self;
        let author = frame.metadata();
        let own_labels = author.labels.as_ref().map(|it| &it.node);
        let labels = lay_over(self.labels, own_labels, owned, "labels", sink);
        let own_annotations = author.annotations.as_ref().map(|it| &it.node);
        let annotations = lay_over(self.annotations, own_annotations, None, "annotations", sink);
        let text = |node: Option<&Node>| LeanStr::from(node.and_then(Node::as_str).unwrap_or(""));
        let object_name = text(Some(&self.name));
        let object_namespace = text(self.namespace.as_ref());

        let metadata = frame.map_with([
            ("name", Some(self.name)),
            ("namespace", self.namespace),
            ("labels", labels),
            ("annotations", annotations),
        ]);
        let head = [
            ("apiVersion", frame.string(api_version)),
            ("kind", frame.string(kind)),
            ("metadata", metadata),
        ];
        let fields = self.root.into_entries();
        let mut entries = ThinVec::with_capacity(head.len() + fields.len());
        entries.extend(
            head.map(|(key, value)| {
                Entry::new(LeanStr::from_static_str(key), value.origin(), value)
            }),
        );
        entries.extend(fields);
        let mut root = Node::new(Value::Map(entries.into()), frame.managed());
        if !fuel.make(root.weight()) {
            return;
        }
        let gvk = kinds.get(api_version, kind);
        order_fields(&mut root, &gvk);
        objects.push(Object {
            gvk,
            name: object_name,
            namespace: object_namespace,
            root,
            document: frame.document(),
        });
    }
}

/// Merges the author's map over the managed one, and the map that the author must not change over
/// both.
fn lay_over(
    managed: Option<Node>,
    author: Option<&Node>,
    of_owner: Option<(Node, &'static str)>,
    field: &'static str,
    sink: &mut Sink,
) -> Option<Node> {
    if managed.is_none() && of_owner.is_none() {
        return author.cloned();
    }
    let root = Path::root();
    let path = root.field("metadata");
    let cx = merge::MergeContext { rows: &[], path: path.field(field) };
    let ty = Type::Map(&Type::Any);
    let (fixed, owner) = of_owner.map_or((None, ""), |(labels, owner)| (Some(labels), owner));
    let fixed_entries = fixed.iter().flat_map(Node::entries);
    let keys: Vec<LeanStr> = fixed_entries.map(|entry| entry.key.text().clone()).collect();
    let steps: Vec<_> = keys.iter().map(|key| [Step::Key(Name::Is(key))]).collect();
    let guard = |field| Guard {
        field,
        hold: Hold::Same,
        rule: &GUARDED_FIELD,
        owner,
        place: None,
        noun: None,
        help: "use another key",
    };
    let guards: Vec<_> = steps.iter().map(|step| guard(step)).collect();
    let base = match (managed, fixed) {
        (Some(base), Some(fixed)) => Some(merge::overlay(&cx, base, &fixed, ty, None, sink)),
        (base, fixed) => base.or(fixed),
    };
    match (base, author) {
        (Some(base), Some(author)) => {
            Some(merge::apply(&cx, &guards, base, author, ty, None, sink))
        }
        (base, author) => base.or_else(|| author.cloned()),
    }
}
