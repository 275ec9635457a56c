//! `Effects`: what the controllers of a system create from objects.

use std::collections::BTreeSet;
use std::fmt;

use lean_string::LeanStr;

use crate::kube::{Object, SharedKinds, order_fields};
use crate::source::Span;
use crate::tree::Node;

/// What the created objects are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// To be read: as in a cluster in its steady state, with placeholders for what only a cluster can
    /// know.
    Steady,
    /// To be applied, in a cluster without the controllers: no owners and no placeholders.
    Plain,
}

/// An object that its controller does not act on, in the words of the controller.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    /// The document of the object.
    pub(crate) document: Span,
    /// The place for a finding.
    pub(crate) place: Span,
    /// The object, for people: "claim `a`".
    pub(crate) title: String,
    /// `WarmPoolNotFound`; empty where the input does not show what the controller does.
    pub(crate) reason: &'static str,
    /// The message of the condition.
    pub(crate) message: String,
}

/// The objects of a run, and what controllers create from them.
pub(crate) struct Effects<'e> {
    /// All objects.
    pub(crate) objects: &'e [Object],
    /// Whether an object is declared to exist in the cluster: group, kind, namespace, name.
    pub(crate) is_external: &'e dyn Fn(&str, &str, &str, &str) -> bool,
    /// Objects that are not acted on.
    pub(crate) conditions: Vec<Condition>,
    /// Positions of objects that the created ones replace in the form [`Form::Plain`].
    pub(crate) replaced: BTreeSet<usize>,
    form: Form,
    kinds: &'e SharedKinds,
    names: BTreeSet<(&'e str, &'e str, &'e str, &'e str)>,
    made: Vec<Object>,
    /// How many objects may be created.
    most: usize,
    /// The first object for which there would be more.
    over: Option<Span>,
}

impl fmt::Debug for Effects<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Effects").field("form", &self.form).field("made", &self.made.len()).finish()
    }
}

impl<'e> Effects<'e> {
    /// Nothing is created yet.
    pub(crate) fn new(
        objects: &'e [Object],
        kinds: &'e SharedKinds,
        form: Form,
        is_external: &'e dyn Fn(&str, &str, &str, &str) -> bool,
        most: usize,
    ) -> Self {
        let names = objects.iter().map(|it| {
            let gvk = it.gvk();
            (gvk.group(), gvk.kind(), it.namespace(), it.name())
        });
        Self {
            objects,
            is_external,
            conditions: Vec::new(),
            replaced: BTreeSet::new(),
            form,
            kinds,
            names: names.collect(),
            made: Vec::new(),
            most,
            over: None,
        }
    }

    /// What the created objects are for.
    pub(crate) const fn form(&self) -> Form {
        self.form
    }

    /// Whether created objects have owners, and other marks of the controllers.
    pub(crate) fn has_owners(&self) -> bool {
        self.form == Form::Steady
    }

    /// Whether the input has an object of this name, so that a controller finds it.
    pub(crate) fn is_in_input(&self, group: &str, kind: &str, namespace: &str, name: &str) -> bool {
        self.names.contains(&(group, kind, namespace, name))
    }

    /// `wanted` children of an object, or none if they would be more than may be created.
    pub(crate) fn admit(&mut self, source: &Object, wanted: usize) -> usize {
        let has_room = wanted <= self.most.saturating_sub(self.made.len());
        if !has_room {
            self.over.get_or_insert(source.document.start_point());
        }
        if self.over.is_none() { wanted } else { 0 }
    }

    /// The first object for which more would be created than may be.
    pub(crate) const fn over(&self) -> Option<Span> {
        self.over
    }

    /// The name of the object number `number` (from 1) that the API server makes of `generateName`: in a
    /// cluster it ends in five random characters. Those here count up after `x`, or are a hash.
    pub(crate) fn generated_name(&self, prefix: &str, number: usize) -> String {
        /// The API server cuts the prefix so that the name is a label.
        const LONGEST_PREFIX: usize = 58;
        let prefix = prefix.get(..prefix.floor_char_boundary(LONGEST_PREFIX)).unwrap_or(prefix);
        match self.form {
            Form::Steady => format!("{prefix}{number:x>5}"),
            Form::Plain => format!("{prefix}{}", suffix(prefix, number)),
        }
    }

    /// Adds an object that exists because of another.
    pub(crate) fn emit(&mut self, source: &Object, api_version: &str, kind: &str, root: Node) {
        if self.admit(source, 1) == 0 {
            return;
        }
        let mut root = root;
        let gvk = self.kinds.get(api_version, kind);
        order_fields(&mut root, &gvk);
        let text = |key: &str| LeanStr::from(root.str_at(&["metadata", key]).unwrap_or(""));
        self.made.push(Object {
            gvk,
            name: text("name"),
            namespace: text("namespace"),
            root,
            document: source.document,
            outline_of: None,
        });
    }

    /// What was created, to keep.
    pub(crate) fn into_made(self) -> Vec<Object> {
        self.made
    }
}

/// Five characters that depend on the pool and the number alone, of those that the API server uses.
fn suffix(prefix: &str, number: usize) -> String {
    const ALPHABET: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    // Numbers below 27^5 have different suffixes: the hash only shifts where a pool begins.
    let space = ALPHABET.len().pow(5);
    let start = prefix
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let mut rest = (start as usize % space + number * 1_000_003) % space;
    let mut text = String::new();
    for _ in 0..5 {
        text.push(ALPHABET.get(rest % ALPHABET.len()).map_or('x', |it| char::from(*it)));
        rest /= ALPHABET.len();
    }
    text
}
