//! Definitions that other definitions build on: `extends`, its ancestors and its cycles.

use std::collections::{BTreeMap, BTreeSet};

use lean_string::LeanStr;

use super::Kind;
use crate::decode::{Field, Text};
use crate::diag::{Diagnostic, Reported, Sink, declare_rules, did_you_mean};
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    EXTENDS_CYCLE = "extends-cycle", Error;
    EXTENDS_NOT_FOUND = "extends-not-found", Error;
}

/// One definition after expansion, checked but not yet read.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// Its kind.
    pub(crate) kind: &'static Kind,
    /// The whole document.
    pub(crate) root: Node,
    /// The document's place.
    pub(crate) document: Span,
}

impl Instance {
    pub(super) fn name(&self) -> &str {
        self.root.str_at(&["metadata", "name"]).unwrap_or("")
    }

    pub(super) fn namespace(&self) -> &str {
        self.root.str_at(&["metadata", "namespace"]).unwrap_or("")
    }

    fn extends(&self) -> Option<&Node> {
        self.root.at(&["spec", "extends"])
    }

    /// The namespace and name of the definition that it extends.
    pub(super) fn extended(&self) -> Option<(LeanStr, LeanStr)> {
        let name = self.extends()?.as_str()?;
        Some((self.namespace().into(), name.into()))
    }
}

/// The definitions that `extends` can name.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    all: Vec<Instance>,
    by_name: BTreeMap<(LeanStr, LeanStr), usize>,
    absent: Option<(BTreeSet<(LeanStr, LeanStr)>, Reported)>,
}

impl Instances {
    /// Indexes the definitions by namespace and name. Of two with the same name the first is found.
    pub(crate) fn new(instances: Vec<Instance>) -> Self {
        let mut by_name = BTreeMap::new();
        for (index, instance) in instances.iter().enumerate() {
            let key = (instance.namespace().into(), instance.name().into());
            by_name.entry(key).or_insert(index);
        }
        Self { all: instances, by_name, absent: None }
    }

    /// Names, with their namespaces, of definitions that are there and have a reported fault.
    pub(super) fn declare_absent(
        &mut self,
        names: impl IntoIterator<Item = (LeanStr, LeanStr)>,
        reported: Reported,
    ) {
        self.absent = Some((names.into_iter().collect(), reported));
    }

    /// The definitions themselves, in the order of the input.
    pub(crate) fn all(&self) -> &[Instance] {
        &self.all
    }

    /// The specs that a definition inherits from, the farthest first.
    ///
    /// # Errors
    /// If a name is not there, or a definition inherits from itself.
    pub(crate) fn ancestors<S: Field>(
        &self,
        namespace: &str,
        extends: Option<&Text>,
        sink: &mut Sink,
    ) -> Result<Vec<S>, Reported> {
        let mut specs = Vec::new();
        let mut visited: Vec<usize> = Vec::new();
        let mut next = extends.cloned().map(Text::into_node);
        while let Some(name) = next {
            let index = self.find(namespace, &name, sink)?;
            if let Some(at) = visited.iter().position(|seen| *seen == index) {
                return Err(self.report_cycle(visited.get(at..).unwrap_or(&[]), &name, sink));
            }
            visited.push(index);
            let Some(instance) = self.all.get(index) else { break };
            specs.extend(instance.root.get("spec").cloned().and_then(S::read));
            next = instance.extends().cloned();
        }
        specs.reverse();
        Ok(specs)
    }

    fn find(&self, namespace: &str, name: &Node, sink: &mut Sink) -> Result<usize, Reported> {
        let text = name.as_str().unwrap_or("");
        let key = (LeanStr::from(namespace), LeanStr::from(text));
        self.by_name.get(&key).copied().ok_or_else(|| {
            if let Some((names, reported)) = &self.absent
                && names.contains(&key)
            {
                return *reported;
            }
            let here = self.by_name.keys().filter(|(space, _)| space == namespace);
            let elsewhere = self.by_name.keys().find(|(_, other)| other == text);
            let mut diagnostic = Diagnostic::new(
                &EXTENDS_NOT_FOUND,
                name.span(),
                format!("there is no Template `{text}` to extend"),
            )
            .at("not in the input")
            .help_if(did_you_mean(text, here.map(|(_, name)| name.as_str())));
            if let Some((space, _)) = elsewhere {
                diagnostic = diagnostic
                    .note(format!(
                        "there is one in the namespace `{space}`, but `extends` stays in its own"
                    ))
                    .help("put both into one namespace, or copy the Template into this one");
            }
            sink.error(diagnostic)
        })
    }

    /// Each member of a circle, and each definition that leads into it, comes here. All name the
    /// same place, the first one in the input, so that the circle is shown once.
    fn report_cycle(&self, circle: &[usize], name: &Node, sink: &mut Sink) -> Reported {
        let mut members: Vec<_> = circle.iter().filter_map(|index| self.all.get(*index)).collect();
        members.sort_by_key(|member| member.document);
        let names: Vec<_> = members.iter().map(|member| format!("`{}`", member.name())).collect();
        let mut places = members.iter().filter_map(|member| member.extends()).map(Node::span);
        let first = places.next().unwrap_or_else(|| name.span());
        let message = match names.as_slice() {
            [only] => format!("{only} extends itself"),
            _ => format!("{} extend each other in a circle", names.join(", ")),
        };
        let mut diagnostic = Diagnostic::new(&EXTENDS_CYCLE, first, message)
            .at("the circle begins here")
            .help("remove `extends` from one of them");
        for place in places {
            diagnostic = diagnostic.label(place, "and goes on here");
        }
        sink.error(diagnostic)
    }
}
