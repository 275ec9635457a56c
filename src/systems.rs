//! The public facts about the systems: their options and their custom resources.

use crate::compile::Options;
use crate::crd;
use crate::dialect::{self, DIALECTS};
use crate::kube::Object;
use crate::lower::{Dialect, Flag};
use crate::source::Workspace;
use crate::tree::{Node, Origin};

/// A command-line option of a system: it sets a field of the system's block of the Project, as
/// [`Options::set`] does.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SystemFlag {
    /// The name of the system.
    pub system: &'static str,
    /// The field of its block.
    pub field: &'static str,
    /// The option, without dashes.
    pub name: &'static str,
    /// The placeholder of the value in the help.
    pub value_name: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// Further lines of help.
    pub details: &'static str,
    /// The valid values.
    pub values: Vec<&'static str>,
}

/// The command-line options of the systems.
pub fn system_flags() -> impl Iterator<Item = SystemFlag> {
    DIALECTS.iter().flat_map(|dialect| dialect.flags.iter().map(|flag| system_flag(dialect, flag)))
}

fn system_flag(dialect: &'static Dialect, flag: &'static Flag) -> SystemFlag {
    let Flag { name, field, value_name, summary, details } = *flag;
    let values = dialect.values_of(field).map_or(&[][..], |it| it.1);
    let values = values.iter().map(|it| it.value).collect();
    SystemFlag { system: dialect.name, field, name, value_name, summary, details, values }
}

/// The names of the systems.
pub fn system_names() -> impl Iterator<Item = &'static str> {
    DIALECTS.iter().map(|it| it.name)
}

/// The output formats of the systems, as `SYSTEM=VALUE`, each with a description.
pub fn system_targets() -> impl Iterator<Item = (String, &'static str)> {
    DIALECTS.iter().flat_map(|dialect| {
        let values = dialect.values_of("target").map_or(&[][..], |it| it.1);
        values.iter().map(|it| (format!("{}={}", dialect.name, it.value), dialect.name))
    })
}

/// The custom resource definitions that the systems install, for the releases in `options`, grouped
/// by system and sorted by name. If a system is named, only its own.
///
/// ```
/// let crds = sandboxc::crds(&sandboxc::Options::default(), None);
/// assert!(crds.iter().all(|it| it.gvk().kind() == "CustomResourceDefinition"));
/// ```
#[must_use]
pub fn crds(options: &Options, system: Option<&str>) -> Vec<Object> {
    let nowhere = Origin::source(Workspace::new().start());
    let setups = dialect::setups(&Node::map(nowhere), options.overrides(), nowhere);
    let setups = setups.iter().filter(|it| system.is_none_or(|name| name == it.dialect.name));
    setups.filter_map(|it| (it.dialect.custom_resources)(it)).flat_map(crd::crds).collect()
}
