//! Definitions that others extend: `extends`, its ancestors and its cycles.

use super::{Instance, Instances};
use crate::diag::{Diagnostic, Reported, Sink, declare_rules, headlined, message};
use crate::limits;
use crate::sorted::{CompactSort as _, SortedMap};
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    EXTENDS_CYCLE = "extends-cycle", Error;
    EXTENDS_TOO_DEEP = "extends-too-deep", Error;
    EXTENDS_NOT_FOUND = "extends-not-found", Error, follows = [ObjectName];
}

impl Instance {
    pub(super) fn extends(&self) -> Option<&Node> {
        self.root.at(&["spec", "extends"])
    }
}

impl Instances<'_> {
    /// The documents of definitions that extend another one, each with the document of its base.
    pub(super) fn bases<'i>(
        &self,
        heirs: impl Iterator<Item = &'i Instance>,
    ) -> SortedMap<Span, Span> {
        let base_of = |heir: &Instance| self.all().get(self.base_of(heir)?);
        heirs.filter_map(|heir| Some((heir.document, base_of(heir)?.document))).collect()
    }

    /// The index of the definition that `heir` extends.
    pub(super) fn base_of(&self, heir: &Instance) -> Option<usize> {
        let name = heir.extends()?.as_str()?;
        // Only the lowering of the heir's kind knows which kind it extends, so all kinds are
        // searched, its own first.
        let mut kinds = std::iter::once(heir.kind.name).chain(self.kinds());
        kinds.find_map(|kind| self.position(kind, heir.namespace(), name).ok().flatten())
    }

    /// The specs of the definitions of a kind that a definition inherits from, the farthest first.
    ///
    /// # Errors
    /// If a name does not exist, or a definition inherits from itself.
    pub(crate) fn ancestors(
        &self,
        kind: &'static str,
        heir: &Instance,
        sink: &mut Sink,
    ) -> Result<Vec<&Node>, Reported> {
        let mut specs = Vec::new();
        let mut visited: Vec<usize> = Vec::new();
        let mut next = heir.extends();
        while let Some(name) = next {
            let index = self.extended(kind, heir.namespace(), name, sink)?;
            if let Some(at) = visited.iter().position(|seen| *seen == index) {
                return Err(self.report_cycle(&visited.split_off(at), name, sink));
            }
            self.chains().is_short(index)?;
            if visited.len() == limits::EXTENDS_LENGTH.count() {
                let first = heir.extends().unwrap_or(name);
                return Err(sink.error(too_deep_finding(first.span())));
            }
            visited.push(index);
            let Some(instance) = self.all().get(index) else { break };
            specs.extend(instance.root.get("spec"));
            next = instance.extends();
        }
        specs.reverse();
        Ok(specs)
    }

    fn extended(
        &self,
        kind: &'static str,
        namespace: &str,
        name: &Node,
        sink: &mut Sink,
    ) -> Result<usize, Reported> {
        let text = name.as_str().unwrap_or("");
        self.position(kind, namespace, text)?.ok_or_else(|| {
            let near = if sink.is_terse() { None } else { self.near(kind, namespace, text) };
            let mut diagnostic = Diagnostic::new(
                &EXTENDS_NOT_FOUND,
                name.span(),
                message!("{kind} `{text}` not found in the input"),
            )
            .at("not in the input")
            .about(self.absent_object(kind, namespace, text))
            .help_if(near);
            if let Some(space) = self.elsewhere(kind, text) {
                diagnostic = diagnostic
                    .note(message!(
                        "a {kind} with this name exists in namespace `{space}`, but `extends` \
                        only refers to its own namespace"
                    ))
                    .help(message!("move both to one namespace, or copy the {kind} to this one"));
            }
            sink.error(diagnostic)
        })
    }

    /// Reports a cycle. It is called for each member of the cycle and each definition that leads to
    /// it; all findings have the span of the first one in the input, so that the cycle is reported
    /// once.
    fn report_cycle(&self, circle: &[usize], name: &Node, sink: &mut Sink) -> Reported {
        let mut members: Vec<_> =
            circle.iter().filter_map(|index| self.all().get(*index)).collect();
        members.compact_sort_by_key(|member| member.document);
        let mut places = members.iter().filter_map(|member| member.extends()).map(Node::span);
        let first = places.next().unwrap_or_else(|| name.span());
        let names = headlined(members.iter().map(|member| member.name()));
        let message = match members.as_slice() {
            [_] => message!("{names} extends itself"),
            _ => message!("{names} extend each other in a cycle"),
        };
        let mut diagnostic = Diagnostic::new(&EXTENDS_CYCLE, first, message)
            .at("start of the cycle")
            .help("remove `extends` from one of them");
        for place in places {
            diagnostic = diagnostic.label(place, "continues here");
        }
        sink.error(diagnostic)
    }
}

pub(super) fn too_deep_finding(place: Span) -> Diagnostic {
    let most = limits::EXTENDS_LENGTH.most;
    Diagnostic::new(
        &EXTENDS_TOO_DEEP,
        place,
        message!("`extends` chain exceeds {most} definitions"),
    )
    .help("extend a definition closer to the first one")
}
