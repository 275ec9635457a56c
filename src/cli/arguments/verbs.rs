//! The commands, each with its arguments.

mod compile;
mod edit;
mod inspect;

use clap::Args;

pub(crate) use compile::{Build, Check, FailOn, Krm, ObjectFormat, Test, TestFormat};
pub(crate) use edit::{
    CiServer, Collect, Crds, CrdsVerb, Fmt, Import, Init, Migrate, Preview, Split,
};
pub(crate) use inspect::{
    Diff, DiffFormat, Effective, EffectiveFormat, Explain, Graph, GraphFormat, Schema, Why,
    WhyFormat,
};

#[derive(Args, Debug)]
#[command(after_help = "Example:
  sandboxc completions bash > ~/.local/share/bash-completion/completions/sandboxc")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
