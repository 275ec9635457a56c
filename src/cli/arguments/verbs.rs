//! The commands, each with its arguments.

mod compile;
mod edit;
mod inspect;

use std::ffi::OsString;

use clap::{Args, ValueEnum};

pub(crate) use compile::{AppliedBy, Build, Check, FailOn, Krm, ObjectFormat, Test, TestFormat};
pub(crate) use edit::{
    CiServer, Collect, Crds, CrdsVerb, Fmt, Import, Init, Migrate, Preview, Split,
};
pub(crate) use inspect::{
    Diff, DiffFormat, Effective, EffectiveFormat, Explain, Graph, GraphFormat, Schema, Why,
    WhyFormat,
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:
  sandboxc completions bash > ~/.local/share/bash-completion/completions/sandboxc
  sandboxc completions zsh > ~/.zfunc/_sandboxc      # with fpath+=~/.zfunc before compinit
  sandboxc completions fish > ~/.config/fish/completions/sandboxc.fish
  sandboxc completions elvish >> ~/.config/elvish/rc.elv
  sandboxc completions powershell >> $PROFILE
  sandboxc completions kubectl > ~/.local/bin/kubectl_complete-sandboxc   # chmod +x, for the plugin")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
    /// The words of a command line without the program, of which the last one is completed
    #[arg(last = true, hide = true)]
    pub(crate) words: Vec<OsString>,
    /// An empty word follows the words: some versions of PowerShell do not pass it
    #[arg(long, hide = true)]
    pub(crate) empty: bool,
}

/// A program that completes command lines.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shell {
    /// Also version 3.2 of macOS
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
    /// kubectl, for the plugin `kubectl-sandboxc`
    Kubectl,
}
