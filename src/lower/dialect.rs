//! `Dialect`: everything that is particular to one system, as the list of all systems has it.

use super::{Instances, Kind, SettingsBlock, Setup};
use crate::crd::description::System;
use crate::diag::{Diagnostic, Rule, Severity, Sink, declare_rules};
use crate::kube::{KindFacts, ObjectSet};
use crate::schema::{EnumValue, Type};
use crate::source::Span;
use crate::tree::Node;

declare_rules! {
    IMPORT_LOSSY = "import-lossy", Error;
}

/// One system: its kinds and rules, and what the stages must know of it. A stage asks the list of
/// all dialects; none names a system.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The name of the system, as people and the command line write it: `agent-sandbox`.
    pub(crate) name: &'static str,
    /// The kinds of its definitions.
    pub(crate) kinds: &'static [Kind],
    /// The rules that it declares.
    pub(crate) rules: &'static [&'static [&'static Rule]],
    /// Its block of `Project.spec`.
    pub(crate) settings: Option<SettingsBlock>,
    /// Judges its definitions together, after each was checked by itself and before any is lowered.
    pub(crate) check_definitions: fn(&Instances<'_>, &Setup, &mut Sink),
    /// Judges objects together, hand-written ones too. Called once for each target version.
    pub(crate) check_objects: fn(&ObjectSet<'_>, &Setup, &mut Sink),
    /// What there is to say of its definitions together, as text for people: `build --summary`.
    pub(crate) summarize: fn(&Instances<'_>, &Setup) -> Option<String>,
    /// The custom resources that it installs.
    pub(crate) custom_resources: fn(&Setup) -> Option<&'static System>,
    /// What is to be known of them, and of other kinds of its own, next to their schema.
    pub(crate) kind_facts: &'static [KindFacts],
    /// Fields of its block that have an option of the command line.
    pub(crate) flags: &'static [Flag],
    /// How its own files become definitions.
    pub(crate) import: Option<Import>,
}

impl Dialect {
    /// A system of which nothing is known but its name; records fill in what they have.
    pub(crate) const EMPTY: Self = Self {
        name: "",
        kinds: &[],
        rules: &[],
        settings: None,
        check_definitions: |_, _, _| {},
        check_objects: |_, _, _| {},
        summarize: |_, _| None,
        custom_resources: |_| None,
        kind_facts: &[],
        flags: &[],
        import: None,
    };

    /// The forms of output that the system can be compiled to, the default first: the values of
    /// `target` in its block of the Project. Empty where it has one form.
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
            Type::Enum(values) => Some((property.name, values)),
            _ => None,
        }
    }
}

/// An option of the command line that sets a field of a system's block, whatever the Project says.
#[derive(Debug)]
pub(crate) struct Flag {
    /// The option: `agent-sandbox`.
    pub(crate) name: &'static str,
    /// The field; its values are those of the option.
    pub(crate) field: &'static str,
    /// What represents the value in the help: `LINE`.
    pub(crate) value_name: &'static str,
    /// One line of help.
    pub(crate) summary: &'static str,
    /// More of it.
    pub(crate) details: &'static str,
}

/// How the files of a system become definitions.
#[derive(Debug)]
pub(crate) struct Import {
    /// What is imported, for messages: `a kelos Task`.
    pub(crate) what: &'static str,
    /// Whether a document is one of the system's.
    pub(crate) recognizes: fn(&Node) -> bool,
    /// The definitions, whole documents, that say the same as this one. What they cannot say is
    /// reported to [`ImportCx`].
    pub(crate) definitions: fn(Node, &mut ImportCx<'_>) -> Vec<Node>,
    /// Whether the system reads its YAML with PyYAML, which reads some plain scalars as other values than
    /// Kubernetes: `1e3` as a string, `1:30` as 90.
    pub(crate) is_pyyaml: bool,
}

/// What an import may read, and where its findings go.
#[derive(Debug)]
pub(crate) struct ImportCx<'i> {
    /// Whether what cannot be said is left out, with a warning.
    pub(crate) is_lossy: bool,
    /// Where findings go.
    pub(crate) sink: &'i mut Sink,
}

impl ImportCx<'_> {
    /// Reports a setting that definitions cannot express, at the author's place, and what to do about
    /// it.
    pub(crate) fn lost(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let mut finding =
            Diagnostic::new(&IMPORT_LOSSY, span, message).at("not imported").help(help);
        if self.is_lossy {
            finding.severity = Severity::Warning;
        } else {
            finding = finding.help("add `--lossy` to import the rest without it");
        }
        self.sink.report(finding);
    }
}
