//! `Effects`: the objects that the controllers of a system create.

use crate::diag::{Message, Rule};
use std::fmt;

use lean_string::LeanStr;

use crate::kube::{Object, Remarks, SharedKinds, kept_prefix, order_fields};
use crate::limits::Fuel;
use crate::sorted::SortedSet;
use crate::source::Span;
use crate::tree::Node;

/// The purpose of the created objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// For reading: the steady state of a cluster, with placeholders for values that are only known
    /// in a cluster.
    Steady,
    /// For applying in a cluster without the controllers: no owners and no placeholders.
    Plain,
}

/// An object whose children are not shown, because its controller does not act on it or because the input
/// does not determine them.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    /// The document of the object.
    pub(crate) document: Span,
    /// The span for a finding.
    pub(crate) place: Span,
    /// The rule of a finding without another cause.
    pub(crate) rule: &'static Rule,
    /// Its headline.
    pub(crate) headline: Message,
    /// What is not shown.
    pub(crate) label: &'static str,
    /// Why.
    pub(crate) note: Message,
}

/// The values of a child in addition to its copy of the template: its metadata, the remark about it, and what it
/// takes until it is added. A pool can have any number of children from a few lines.
const OF_CHILD: usize = 60;

/// The objects of a run, and those that controllers create from them.
pub(crate) struct Effects<'e> {
    /// All objects.
    pub(crate) objects: &'e [Object],
    /// Whether an object is declared to exist in the cluster: group, kind, namespace, name.
    pub(crate) is_external: &'e dyn Fn(&str, &str, &str, &str) -> bool,
    /// Objects that their controller does not act on.
    pub(crate) conditions: Vec<Condition>,
    /// Remarks on the created objects.
    pub(crate) remarks: Remarks,
    /// The positions of objects that the created ones replace in [`Form::Plain`].
    pub(crate) replaced: SortedSet<usize>,
    form: Form,
    kinds: &'e SharedKinds,
    names: SortedSet<(&'e str, &'e str, &'e str, &'e str)>,
    made: Vec<Object>,
    fuel: &'e Fuel<'e>,
    /// The first object for whose creations there is no fuel.
    over: Option<Span>,
}

impl fmt::Debug for Effects<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Effects").field("form", &self.form).field("made", &self.made.len()).finish()
    }
}

impl<'e> Effects<'e> {
    /// Starts without any created objects.
    pub(crate) fn new(
        objects: &'e [Object],
        kinds: &'e SharedKinds,
        form: Form,
        is_external: &'e dyn Fn(&str, &str, &str, &str) -> bool,
        fuel: &'e Fuel<'e>,
    ) -> Self {
        let names = objects.iter().map(|object| {
            let gvk = object.gvk();
            (gvk.group(), gvk.kind(), object.namespace(), object.name())
        });
        Self {
            objects,
            is_external,
            conditions: Vec::new(),
            remarks: Remarks::default(),
            replaced: SortedSet::new(),
            form,
            kinds,
            names: names.collect(),
            made: Vec::new(),
            fuel,
            over: None,
        }
    }

    /// The purpose of the created objects.
    pub(crate) const fn form(&self) -> Form {
        self.form
    }

    /// Whether created objects have owners and other metadata of their controllers.
    pub(crate) fn has_owners(&self) -> bool {
        self.form == Form::Steady
    }

    /// Whether the input has an object with this name, which the controller then finds.
    pub(crate) fn is_in_input(&self, group: &str, kind: &str, namespace: &str, name: &str) -> bool {
        self.names.contains(&(group, kind, namespace, name))
    }

    /// Returns `wanted`, the number of children of an object, or 0 if there is no fuel for them.
    /// Each child has a copy of the parts of the template: what would be too large is never made.
    pub(crate) fn admit<'n>(
        &mut self,
        source: &Object,
        wanted: usize,
        template: impl IntoIterator<Item = &'n Node>,
    ) -> usize {
        if wanted == 0 || self.over.is_some() {
            return 0;
        }
        let of_each: usize = template.into_iter().map(Node::weight).sum();
        let has_fuel = self.make(source, wanted.saturating_mul(OF_CHILD + of_each));
        if has_fuel { wanted } else { 0 }
    }

    /// Whether there is fuel for the values of objects that are created for another one.
    fn make(&mut self, source: &Object, values: usize) -> bool {
        let has_fuel = self.over.is_none() && self.fuel.make(values);
        if !has_fuel {
            self.over.get_or_insert(source.document.start_point());
        }
        has_fuel
    }

    /// The first object for whose creations there is no fuel.
    pub(crate) const fn over(&self) -> Option<Span> {
        self.over
    }

    /// The name of child `number`, counted from 1, with the prefix `generateName`. In a cluster, it
    /// ends in five random characters; here they are a number padded with `x`, or a hash.
    pub(crate) fn generated_name(&self, prefix: &str, number: usize) -> String {
        let prefix = kept_prefix(prefix);
        match self.form {
            Form::Steady => format!("{prefix}{number:x>5}"),
            Form::Plain => format!("{prefix}{}", name_suffix(prefix, number)),
        }
    }

    /// Adds an object that is created for another one.
    pub(crate) fn emit(&mut self, source: &Object, api_version: &str, kind: &str, mut root: Node) {
        if !self.make(source, root.weight()) {
            return;
        }
        let gvk = self.kinds.get(api_version, kind);
        order_fields(&mut root, &gvk);
        let text = |key: &str| LeanStr::from(root.text_at(&["metadata", key]));
        self.made.push(Object {
            gvk,
            name: text("name"),
            namespace: text("namespace"),
            root,
            document: source.document,
        });
    }

    /// Returns the created objects.
    pub(crate) fn into_made(self) -> Vec<Object> {
        self.made
    }
}

/// Five characters from the API server's alphabet that only depend on the prefix and the number.
fn name_suffix(prefix: &str, number: usize) -> String {
    const ALPHABET: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    // Numbers below 27^5 have different suffixes: the hash of the prefix only determines the first
    // one.
    let space = ALPHABET.len().pow(5);
    let start = prefix
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let mut rest = (start as usize % space + number * 1_000_003) % space;
    let mut text = String::new();
    for _ in 0..5 {
        text.extend(ALPHABET.get(rest % ALPHABET.len()).copied().map(char::from));
        rest /= ALPHABET.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::dialect::shared_kinds;
    use crate::source::Workspace;
    use crate::tree::Origin;

    #[test]
    fn created_objects_spend_fuel() {
        let origin = Origin::source(Workspace::new().start());
        let root = Node::from_json(json!({"metadata": {"name": "x".repeat(640)}}), origin);
        assert_eq!(root.weight(), 13, "two maps, a string and its 640 bytes");
        let kinds = shared_kinds();
        let source = Object {
            gvk: kinds.get("v1", "Pod"),
            name: "a".into(),
            namespace: "".into(),
            root: root.clone(),
            document: origin.span(),
        };
        for (values, count) in [(13, 1), (12, 0)] {
            let fuel = Fuel::for_values(values);
            let mut effects = Effects::new(&[], &kinds, Form::Steady, &|_, _, _, _| false, &fuel);
            effects.emit(&source, "v1", "Pod", root.clone());
            assert_eq!(effects.over().is_none(), count == 1);
            assert_eq!(effects.into_made().len(), count);
        }
        // Copies of a template count before they are made.
        for (wanted, admitted) in [(10, 10), (11, 0)] {
            let fuel = Fuel::for_values(10 * (OF_CHILD + 13));
            let mut effects = Effects::new(&[], &kinds, Form::Steady, &|_, _, _, _| false, &fuel);
            assert_eq!(effects.admit(&source, wanted, Some(&root)), admitted);
            assert_eq!(effects.over().is_some(), admitted == 0);
            // Thousands of objects can have one large template, which is not read for those after it.
            let template = std::iter::once_with(|| panic!("the template is read"));
            if admitted == 0 {
                assert_eq!(effects.admit(&source, 1, template), 0);
            }
        }
    }
}
