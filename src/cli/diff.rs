//! `diff`: two sets of objects, compared by object and field.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sandboxc::{
    Compilation, Diff as Differences, DiffSide, Purpose, Severity, Workspace, diff,
    diff_environments, render_diff_github, render_diff_human, render_diff_json,
    render_diff_markdown, unrendered_changes,
};

use super::arguments::{AppliedBy, Diff, DiffFormat, Inputs, KnownKinds, Options, Rendering};
use super::failure::Failure;
use super::report::{Findings, compile, compile_options, compile_twice};
use super::revision::{Content, Revision};
use super::{Outcome, output, render, terminal};
use sandboxc::markup::visible_line;
use sandboxc_files::kind_of_named;

pub(crate) fn run(asked: &Diff, options: &Options) -> Result<Outcome, Failure> {
    let outcome = compared(asked, options)?;
    Ok(match outcome {
        Outcome::Differs if !asked.exit_code => Outcome::Clean,
        Outcome::InputHasErrors if asked.exit_code => Outcome::NotCompared,
        other => other,
    })
}

fn compared(asked: &Diff, options: &Options) -> Result<Outcome, Failure> {
    let Diff { inputs, git, .. } = asked;
    match (git, &options.environment[..], &inputs[..]) {
        (Some(_), [_, _, ..], _) => Err(Failure::usage(
            "`--git` with several environments",
            "select one: `--environment NAME`",
        )),
        (Some(revision), _, _) => with_revision(asked, revision, options),
        (None, [old, new], _) => environments(asked, [old, new], options),
        (None, [] | [_], [old, new]) => {
            if [old, new].iter().all(|path| path.as_path() == Path::new("-")) {
                return Err(Failure::usage(
                    "both sides are standard input",
                    "name a file or a directory for one of them",
                ));
            }
            let side = |input| {
                let read = Read::of(asked, std::slice::from_ref(input), options)?;
                read.refuse_nothing(input).map(|()| read)
            };
            let mut old = side(old)?;
            old.add_last_applied(asked.last.as_deref(), &asked.kinds, options)?;
            report(asked, options, &old, &side(new)?)
        }
        (None, [] | [_], _) => Err(Failure::usage(
            "`diff` compares two sides",
            "write `sandboxc diff OLD NEW`, `--git REV`, or `--environment OLD,NEW`",
        )),
        (None, _, _) => Err(Failure::usage(
            "more than two environments",
            "write two of them: `--environment staging,production`",
        )),
    }
}

/// One side that was read and compiled.
pub(super) struct Read {
    pub(super) workspace: Workspace,
    pub(super) compilation: Compilation,
    label: String,
}

impl Read {
    fn of(asked: &Diff, inputs: &[PathBuf], options: &Options) -> Result<Self, Failure> {
        let inputs = Inputs::of(inputs, &asked.exclude);
        Self::of_inputs(&inputs, &asked.kinds, &asked.rendering, options)
    }

    pub(super) fn of_inputs(
        inputs: &Inputs,
        kinds: &KnownKinds,
        rendering: &Rendering,
        options: &Options,
    ) -> Result<Self, Failure> {
        let rendered;
        let (inputs, options) = if rendering.render {
            rendered = render::rendered(inputs, kinds, rendering, options)?;
            (&rendered.0, &rendered.1)
        } else {
            (inputs, options)
        };
        let (workspace, compilation) = compile(inputs, kinds, options, Purpose::Compare)?;
        let compilation = std::mem::ManuallyDrop::into_inner(compilation);
        Ok(Self { workspace, compilation, label: String::new() })
    }

    /// Adds the last applied forms of the objects, if a file has them.
    pub(super) fn add_last_applied(
        &mut self,
        last: Option<&Path>,
        kinds: &KnownKinds,
        options: &Options,
    ) -> Result<(), Failure> {
        if let Some(last) = last {
            let inputs = Inputs::of(&[last.to_owned()], &[]);
            let last = Self::of_inputs(&inputs, kinds, &Rendering::default(), options)?;
            self.compilation.add_last_applied(&last.compilation);
        }
        Ok(())
    }

    /// Rejects standard input without objects: that a program before this one has failed would read as the removal
    /// of everything.
    fn refuse_nothing(&self, input: &Path) -> Result<(), Failure> {
        let is_empty = self.compilation.inputs.is_empty() && !self.compilation.has_errors();
        if input == Path::new("-") && is_empty {
            return Err(Failure::usage(
                "standard input has no objects",
                "check why it is empty; in a pipe, use `set -o pipefail` to see the failure",
            ));
        }
        Ok(())
    }

    /// Nothing: the side of files that are new.
    fn nothing(options: &Options) -> Result<Self, Failure> {
        let (workspace, settings) = (Workspace::new(), compile_options(options)?);
        let compilation = sandboxc::compile(&workspace, &settings);
        Ok(Self { workspace, compilation, label: String::new() })
    }

    /// The inputs in a revision of the working tree. It need not have all of them: others are new.
    pub(super) fn of_revision(
        revision: &str,
        inputs: &Inputs,
        kinds: &KnownKinds,
        rendering: &Rendering,
        options: &Options,
    ) -> Result<Self, Failure> {
        let content = if rendering.render { Content::All } else { Content::Manifests };
        let tree = Revision::check_out(revision, content)?;
        let is_here = |path: &Path| kind_of_named(path).is_ok();
        let new: BTreeSet<_> = inputs.all().filter(|path| is_here(path)).cloned().collect();
        let read = tree.within(|| {
            let can_have = |path: &Path| content.can_have(path);
            let is_new = |path: &Path| new.contains(path) && !is_here(path) && can_have(path);
            match inputs.without(is_new) {
                Some(inputs) => Self::of_inputs(&inputs, kinds, rendering, options),
                None => Self::nothing(options),
            }
        });
        if rendering.render && read.is_err() {
            output::complain(&format!("in `{}`:\n", visible_line(revision)));
        }
        let mut read = read?;
        read.label = format!("{revision}:");
        Ok(read)
    }

    pub(super) fn side(&self) -> DiffSide<'_> {
        DiffSide::new(&self.workspace, &self.compilation).labeled(self.label.as_str())
    }

    /// The side, applied by a program if one is named.
    pub(super) fn side_applied_by(&self, program: Option<AppliedBy>) -> DiffSide<'_> {
        match program {
            Some(program) => self.side().applied_by(program.into()),
            None => self.side(),
        }
    }

    /// Reports the errors of the side, as `build` does; `None` if it has none. Those of a revision cannot be corrected,
    /// so that they only limit what is compared.
    pub(super) fn errors(&self, options: &Options) -> Result<Option<Outcome>, Failure> {
        if !self.compilation.has_errors() {
            return Ok(None);
        }
        if self.label.is_empty() {
            return Findings::of(&self.workspace, &self.compilation).report(options).map(Some);
        }
        self.note_errors();
        Ok(None)
    }

    fn note_errors(&self) {
        let findings = self.compilation.diagnostics.iter();
        let errors = findings.filter(|finding| finding.severity == Severity::Error);
        let places = errors.map(|error| {
            let (file, span) = self.workspace.file_and_span(error.primary.span);
            format!("{}:{}: {}", file.name(), file.line_column(span.start).line, error.rule.name)
        });
        let places: Vec<_> = places.collect();
        let revision = self.label.trim_end_matches(':');
        let note = format!("`{revision}` has errors, so that what it may lack is not compared");
        output::complain(&note_with_list(&note, &places));
    }
}

/// Compares the inputs in a revision with those in the working tree.
fn with_revision(asked: &Diff, revision: &str, options: &Options) -> Result<Outcome, Failure> {
    if asked.inputs.iter().any(|path| path.as_path() == Path::new("-")) {
        return Err(Failure::usage(
            "`--git` with standard input",
            "name files and directories: both sides are read from them",
        ));
    }
    let inputs = Inputs::of(&asked.inputs, &asked.exclude);
    let old = Read::of_revision(revision, &inputs, &asked.kinds, &asked.rendering, options)?;
    let new = Read::of(asked, &asked.inputs, options)?;
    note_unrendered(&old, &new);
    report(asked, options, &old, &new)
}

/// The maximum number of files that a note lists.
const MOST_LISTED: usize = 10;

/// Names the changes of a revision that are not compared, since only a program that renders them knows their effect.
pub(super) fn note_unrendered(old: &Read, new: &Read) {
    let names = unrendered_changes(&old.workspace, &new.workspace);
    if names.is_empty() {
        return;
    }
    let are_not_compared = match names.len() {
        1 => "file of a chart or kustomization is not compared: it is not rendered",
        _ => "files of charts or kustomizations are not compared: they are not rendered",
    };
    let mut note = note_with_list(&format!("{} changed {are_not_compared}", names.len()), &names);
    note.push_str(
        "  help: name the directories of these charts and kustomizations, with `--render`\n",
    );
    output::complain(&note);
}

/// A note, and a list below it.
fn note_with_list(note: &str, items: &[String]) -> String {
    let mut note = format!("note: {note}\n");
    for item in items.iter().take(MOST_LISTED) {
        let _ = writeln!(note, "  {}", visible_line(item));
    }
    if items.len() > MOST_LISTED {
        let _ = writeln!(note, "  and {} more", items.len() - MOST_LISTED);
    }
    note
}

/// Compares the objects of two environments.
fn environments(
    asked: &Diff,
    [old, new]: [&String; 2],
    options: &Options,
) -> Result<Outcome, Failure> {
    if asked.rendering.render {
        return Err(Failure::usage(
            "`--render` with two environments",
            "render each with its values, and compare the results: `sandboxc diff OLD NEW`",
        ));
    }
    let inputs = Inputs::of(&asked.inputs, &asked.exclude);
    let (mut workspace, [before, after]) =
        compile_twice(&inputs, &asked.kinds, options, [old, new], Purpose::Compare)?;
    for compilation in [&before, &after] {
        if compilation.has_errors() {
            workspace.mask(&compilation.secrets);
            return Findings::of(&workspace, compilation).report(options);
        }
    }
    let sides = (DiffSide::new(&workspace, &before), DiffSide::new(&workspace, &after));
    print(asked, options, &diff_environments(&sides.0, &sides.1))
}

fn report(asked: &Diff, options: &Options, old: &Read, new: &Read) -> Result<Outcome, Failure> {
    let errors = (old.errors(options)?, new.errors(options)?);
    if let Some(outcome) = errors.0.or(errors.1) {
        return Ok(outcome);
    }
    print(asked, options, &diff(&old.side(), &new.side_applied_by(asked.apply)))
}

fn print(asked: &Diff, options: &Options, found: &Differences) -> Result<Outcome, Failure> {
    let is_summary = asked.summary;
    match asked.format {
        DiffFormat::Human => {
            let paint = terminal::paint_of_output(options.color);
            output::show(&render_diff_human(found, is_summary, paint), paint)
        }
        DiffFormat::Json => output::print(&render_diff_json(found, is_summary)),
        DiffFormat::Markdown => output::print(&render_diff_markdown(found, is_summary)),
        DiffFormat::Github => output::print(&render_diff_github(found, is_summary)),
    }?;
    Ok(if found.is_empty() { Outcome::Clean } else { Outcome::Differs })
}
