//! `Dialect`: everything that is specific to one system, as an entry in the list of all systems.

use super::{
    API_GROUP, API_VERSION, Adoption, Changed, Effects, Instance, Instances, Kind, Migration,
    Outcome, SettingsBlock, Setup, Weights,
};
use crate::crd::description::System;
use crate::diag::{Diagnostic, Message, Rule, Severity, Sink, declare_rules};
use crate::kube::{Creator, KindFacts, Object, ObjectSet, Reference, Target, Use};
use crate::scalar::KubernetesVersion;
use crate::schema::{EnumValue, Type};
use crate::sorted::SortedSet;
use crate::source::Span;
use crate::tree::{Node, Origin};

declare_rules! {
    IMPORT_LOSSY = "import-lossy", Error;
    IMPORT_SETTING_UNUSED = "import-setting-unused", Warning;
}

/// One system: its kinds and rules, and the facts that the stages need. The stages read the list of
/// all dialects; none names a system.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The name of the system, as used on the command line: `agent-sandbox`.
    pub(crate) name: &'static str,
    /// The kinds of its definitions.
    pub(crate) kinds: &'static [Kind],
    /// The rules that it declares.
    pub(crate) rules: &'static [&'static [&'static Rule]],
    /// Its block of `Project.spec`.
    pub(crate) settings: Option<SettingsBlock>,
    /// The number of values that the objects of a definition copy from other definitions, or repeat.
    pub(crate) copied: fn(&Instance, &Setup, &Weights<'_>) -> usize,
    /// Checks its definitions together, after each was checked separately and before any is
    /// lowered.
    pub(crate) check_definitions: fn(&Instances<'_>, &Setup, &mut Sink),
    /// Checks all objects together, including manifests. Called once for each target version.
    pub(crate) check_objects: fn(&ObjectSet<'_>, &Setup, KubernetesVersion, &mut Sink),
    /// What creates the objects of its controllers that the API server validates only then. They
    /// are checked and not printed. `None` if no object of the run needs it.
    pub(crate) creator: for<'s> fn(&ObjectSet<'s>) -> Option<Creator<'s>>,
    /// The human-readable summary of all its definitions, for `build --summary`.
    pub(crate) summarize: fn(&Instances<'_>, &Setup) -> Option<String>,
    /// Adds the objects that its controllers create.
    pub(crate) effects: fn(&mut Effects<'_>, &ObjectSet<'_>, &Setup),
    /// What happens once one of its objects is applied in another form; `None` if that is unknown.
    pub(crate) outcome: fn(&Changed<'_>) -> Option<Outcome>,
    /// What its controllers delete, or leave, once one of its objects is deleted; `None` if nothing is
    /// worth a word.
    pub(crate) then_lost: fn(&Object) -> Option<&'static str>,
    /// The value of `target` with which those objects are the output, in the place of its custom
    /// resources.
    pub(crate) plain_target: Option<&'static str>,
    /// The custom resources that it installs.
    pub(crate) custom_resources: fn(&Setup) -> Option<&'static System>,
    /// Facts about them and its other kinds, in addition to their schema.
    pub(crate) kind_facts: &'static [KindFacts],
    /// The fields of its definitions that name another one, or an object, outside of those of a PodSpec. Those
    /// of its custom resources are in `kind_facts`.
    pub(crate) references: &'static [DefinitionReference],
    /// Fields of its block that have an option of the command line.
    pub(crate) flags: &'static [Flag],
    /// The import of its own files as definitions.
    pub(crate) import: Option<Import>,
    /// The conversion of its custom resources of old versions.
    pub(crate) migration: Option<Migration>,
    /// The import of its custom resources as definitions.
    pub(crate) adoption: Option<Adoption>,
}

impl Dialect {
    /// A system with only a name; records override the fields that they have.
    pub(crate) const EMPTY: Self = Self {
        name: "",
        kinds: &[],
        rules: &[],
        settings: None,
        copied: |_, _, _| 0,
        check_definitions: |_, _, _| {},
        check_objects: |_, _, _, _| {},
        creator: |_| None,
        summarize: |_, _| None,
        effects: |_, _, _| {},
        outcome: |_| None,
        then_lost: |_| None,
        plain_target: None,
        custom_resources: |_| None,
        kind_facts: &[],
        references: &[],
        flags: &[],
        import: None,
        migration: None,
        adoption: None,
    };

    /// The output formats of the system, the default first: the values of `target` in its block of
    /// the Project. Empty if it has only one.
    pub(crate) fn targets(&self) -> &'static [EnumValue<'static>] {
        self.values_of("target").map_or(&[], |it| it.1)
    }

    /// A field of its block that has a closed list of values: the name and the values.
    pub(crate) fn values_of(
        &self,
        field: &str,
    ) -> Option<(&'static str, &'static [EnumValue<'static>])> {
        let property = self.settings.as_ref()?.docs.object.property(field)?;
        match property.value.resolve() {
            Type::Enum(values) | Type::Choice(values) => Some((property.name, values)),
            _ => None,
        }
    }
}

/// The field with the base of a definition.
pub(crate) const EXTENDS: &[&str] = &["spec", "extends"];

/// A field of definitions that names another definition, or an object.
#[derive(Debug)]
pub(crate) struct DefinitionReference {
    /// The kind of the definitions; empty for all of the system.
    pub(crate) kind: &'static str,
    /// The field, at the end of its path.
    pub(crate) field: Reference,
}

impl DefinitionReference {
    /// The name of a definition of kind `to`.
    pub(crate) const fn to_definition(
        kind: &'static str,
        path: &'static [&'static str],
        to: &'static str,
    ) -> Self {
        Self::to_object(kind, path, Target::namespaced(API_GROUP, to))
    }

    /// The name of an object of kind `to`.
    pub(crate) const fn to_object(
        kind: &'static str,
        path: &'static [&'static str],
        to: Target,
    ) -> Self {
        Self { kind, field: Reference::new(path, to, Use::Other("names")) }
    }
}

/// A command-line option that sets a field of a system's block, which takes precedence over the
/// Project.
#[derive(Debug)]
pub(crate) struct Flag {
    /// The option: `agent-sandbox`.
    pub(crate) name: &'static str,
    /// The field; its values are those of the option.
    pub(crate) field: &'static str,
    /// The placeholder of the value in the help: `LINE`.
    pub(crate) value_name: &'static str,
    /// One line of help.
    pub(crate) summary: &'static str,
    /// Further lines of help.
    pub(crate) details: &'static str,
}

/// The import of a system's files as definitions.
#[derive(Debug)]
pub(crate) struct Import {
    /// A description of the imported documents for messages: `a kelos Task`.
    pub(crate) what: &'static str,
    /// Whether a document belongs to the system.
    pub(crate) recognizes: fn(&Node) -> bool,
    /// Converts a document to equivalent definitions, as whole documents. Fields that they cannot
    /// express are reported to [`ImportCx`].
    pub(crate) definitions: fn(Node, &mut ImportCx<'_>) -> Vec<Node>,
    /// Whether the system reads its YAML with PyYAML, which reads some plain scalars as other values than
    /// Kubernetes: `1e3` as a string, `1:30` as 90.
    pub(crate) is_pyyaml: bool,
}

/// The context of an import, with the sink for its findings.
#[derive(Debug)]
pub(crate) struct ImportCx<'i> {
    /// Whether fields that definitions cannot express are dropped with a warning.
    pub(crate) is_lossy: bool,
    /// The omitted parts, one line each.
    pub(crate) left_out: Vec<String>,
    /// The sink for findings.
    pub(crate) sink: &'i mut Sink,
}

impl ImportCx<'_> {
    /// Reports a setting that definitions cannot express, at the author's line, with its repair.
    pub(crate) fn lost(
        &mut self,
        span: Span,
        message: impl Into<Message>,
        help: impl Into<Message>,
    ) {
        let message: Message = message.into();
        let line = message.as_prose().to_string();
        let mut finding =
            Diagnostic::new(&IMPORT_LOSSY, span, message).at("not imported").help(help);
        if self.is_lossy {
            finding.severity = Severity::Warning;
            self.left_out.push(line);
        } else {
            finding = finding.help("add `--lossy` to import the rest without it");
        }
        self.sink.report(finding);
    }

    /// Names keys that are not imported, and what they are, in a line of the output.
    pub(crate) fn leave_out(&mut self, keys: &SortedSet<String>, what: &str) {
        if !keys.is_empty() {
            let quoted: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
            self.left_out.push(format!("{}: {what}", quoted.join(", ")));
        }
    }

    /// Reports a setting that the system itself ignores, and that is therefore not imported.
    pub(crate) fn unused(
        &mut self,
        span: Span,
        message: impl Into<Message>,
        reason: impl Into<Message>,
        help: impl Into<Message>,
    ) {
        let message: Message = message.into();
        self.left_out.push(message.as_prose().to_string());
        self.sink.report(
            Diagnostic::new(&IMPORT_SETTING_UNUSED, span, message)
                .at("not imported")
                .note(reason)
                .help(help),
        );
    }
}

/// The Project of an import, with this `spec`.
pub(crate) fn imported_project(spec: Node, origin: Origin) -> Node {
    let text = |text: &'static str| Node::string(text, origin);
    let mut metadata = Node::map(origin);
    metadata.set("name", text("imported"));
    let mut project = Node::map(origin);
    project.set("apiVersion", text(API_VERSION));
    project.set("kind", text("Project"));
    project.set("metadata", metadata);
    project.set("spec", spec);
    project
}
