//! `Setup`: the settings of a system in a run, from its block of the Project and the command line.

use std::any::Any;
use std::fmt;

use super::Dialect;
use crate::decode::{ChoiceValues, Docs, Field, Record};
use crate::schema::{Property, Type};
use crate::tree::{Node, Origin};

/// A system's block of `Project.spec`, declared with `definition!` by its dialect.
pub(crate) struct SettingsBlock {
    /// Its key: `agentSandbox`.
    pub(crate) key: &'static str,
    /// The doc comment of the key.
    pub(crate) summary: &'static str,
    /// The record and its doc comments.
    pub(crate) docs: &'static Docs,
    ty: Type<'static>,
    read: fn(Node) -> Option<Box<dyn Any + Send + Sync>>,
}

impl SettingsBlock {
    /// The block with the fields of `S`. No field of it may be required: most Projects have none.
    pub(crate) const fn of<S: Record + Field + Send + Sync + 'static>(
        key: &'static str,
        summary: &'static str,
    ) -> Self {
        let read = |node| S::read(node).map(|own| Box::new(own) as Box<dyn Any + Send + Sync>);
        Self { key, summary, docs: S::DOCS, ty: <S as Field>::TYPE, read }
    }

    /// The key as a field of `Project.spec`.
    pub(crate) const fn property(&self) -> Property<'static> {
        Property::new(self.key, self.ty, false)
    }
}

impl fmt::Debug for SettingsBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SettingsBlock").field("key", &self.key).finish_non_exhaustive()
    }
}

/// A field of a system's block that the command line sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Override {
    /// The name of the system.
    pub(crate) system: &'static str,
    /// The field: `target`.
    pub(crate) field: &'static str,
    /// Its value, one of the field's.
    pub(crate) value: &'static str,
}

impl Override {
    /// Finds a setting by the names that an author writes.
    ///
    /// # Errors
    /// A message that lists the existing names.
    pub(crate) fn find(
        dialects: &'static [&'static Dialect],
        system: &str,
        field: &str,
        value: &str,
    ) -> Result<Self, String> {
        let with_field =
            dialects.iter().filter_map(|dialect| Some((dialect.name, dialect.values_of(field)?)));
        let Some((system, (field, values))) = with_field.clone().find(|(name, _)| *name == system)
        else {
            let names = list_quoted(with_field.map(|it| it.0));
            return Err(if names.is_empty() {
                format!("no system has a setting `{field}`")
            } else {
                format!("`{system}` has no setting `{field}`; the systems that have it: {names}")
            });
        };
        let known = values.iter().find(|known| known.value == value);
        known.map(|known| Self { system, field, value: known.value }).ok_or_else(|| {
            let names = list_quoted(values.iter().map(|it| it.value));
            format!("unknown {field} `{value}` of `{system}`; write one of {names}")
        })
    }
}

fn list_quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The settings of one system in a run.
#[derive(Debug)]
pub(crate) struct Setup {
    /// The system.
    pub(crate) dialect: &'static Dialect,
    /// The form of output; `None` if the system only has one.
    target: Option<&'static str>,
    settings: Option<Box<dyn Any + Send + Sync>>,
}

impl Setup {
    /// Combines the system's block of the Project with the command line, which takes precedence.
    pub(crate) fn new(
        dialect: &'static Dialect,
        block: Option<Node>,
        overrides: &[Override],
        nowhere: Origin,
    ) -> Self {
        let mut overrides = overrides.iter().filter(|it| it.system == dialect.name).peekable();
        let own = block.or_else(|| overrides.peek().map(|_| Node::map(nowhere)));
        let block = own.map(|mut block| {
            for Override { field, value, .. } in overrides {
                block.set(*field, Node::string(*value, nowhere));
            }
            block
        });
        let chosen = block.as_ref().and_then(|it| it.str_at(&["target"]));
        let mut targets = dialect.targets().iter().map(|it| it.value);
        let target =
            targets.clone().find(|target| Some(*target) == chosen).or_else(|| targets.next());
        let settings = block.zip(dialect.settings.as_ref()).and_then(|(it, own)| (own.read)(it));
        Self { dialect, target, settings }
    }

    /// The system's block of the Project, as the type that its dialect declares. `None` if the
    /// Project has none.
    pub(crate) fn settings<S: 'static>(&self) -> Option<&S> {
        self.settings.as_deref()?.downcast_ref()
    }

    /// Whether the output has what the system's controllers would create, for clusters without them.
    pub(crate) fn is_plain(&self) -> bool {
        self.target.is_some() && self.target == self.dialect.plain_target
    }

    /// The form of output; `None` if the system only has one.
    pub(crate) fn target<T: ChoiceValues>(&self) -> Option<T> {
        T::parse(self.target?)
    }
}
