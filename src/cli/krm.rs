//! `krm`: a `ResourceList` on standard input, and what the function makes of it on standard output.

use std::mem::ManuallyDrop;
use std::path::PathBuf;

use sandboxc::{
    Action, Built, Compilation, Function, FunctionConfig, ItemPart, ListResults, NotAList, Purpose,
    ResourceList, STDIN, Workspace,
};

use super::arguments::{Given, Inputs, Krm, NamedPath, Options};
use super::failure::Failure;
use super::report::{self, Findings};
use super::{Outcome, input, output};

/// The name of the values in a `functionConfig`.
const VALUES: &str = "functionConfig.spec.values";

pub(crate) fn run(krm: &Krm, options: &Options) -> Result<Outcome, Failure> {
    let mut texts = Workspace::new();
    let file = texts.add(STDIN, input::standard_input()?);
    let list = match ResourceList::read(&texts, file) {
        Ok(list) => list,
        Err(NotAList::Other(problem, help)) => return Err(Failure::input(problem, help)),
        Err(NotAList::Unreadable(mut found)) => {
            let shown = sandboxc::mask_findings(&texts, &mut found);
            return Findings::of_texts(&shown, &found).report(options);
        }
        Err(_) => return Err(Failure::input("standard input is not a ResourceList", "")),
    };
    match apply(&list, krm, options) {
        Ok((outcome, text)) => {
            output::print(&text)?;
            Ok(outcome)
        }
        // Who runs the function shows the results, or standard error.
        Err(failure) => {
            let message = failure.describe().trim_end().replace("\n  help:", ". help:");
            let message = message.strip_prefix("error: ").unwrap_or(&message);
            output::print(&list.unchanged(&list.failure(message)))?;
            Err(failure)
        }
    }
}

/// The outcome, and the list to print.
fn apply(list: &ResourceList, krm: &Krm, options: &Options) -> Result<(Outcome, String), Failure> {
    let mut texts = Workspace::new();
    let function = match list.function(&mut texts) {
        FunctionConfig::Function(function) => *function,
        FunctionConfig::Unknown(problem, help) => return Err(Failure::input(problem, help)),
        FunctionConfig::Faulty(mut found) => {
            let shown = sandboxc::mask_findings(&texts, &mut found);
            let outcome = Findings::of_texts(&shown, &found).report(options)?;
            return Ok((outcome, list.unchanged(&list.results_of_config(&shown, &found))));
        }
        _ => return Err(Failure::input("unknown `functionConfig`", "")),
    };
    let is_empty = function.definitions.is_empty() && function.files.is_empty();
    let parts = list.parts();
    if is_empty && parts.is_empty() {
        return Ok((Outcome::Clean, list.unchanged(&ListResults::default())));
    }
    let options = &with_settings(options, &function);
    let mut earlier = Vec::new();
    let mut run = Run::of(parts, &function, krm, options)?;
    if function.action == Action::Build {
        earlier = list.earlier(run.built());
        if !earlier.is_empty() {
            let others = run.parts.into_iter().filter(|it| !earlier.contains(&it.index));
            run = Run::of(others.collect(), &function, krm, options)?;
        }
    }
    let Run { parts, workspace, compilation } = &run;
    let outcome = Findings::of(workspace, compilation).report(options)?;
    let results = list.results(workspace, parts, &compilation.inputs, &compilation.diagnostics);
    let text = match function.action {
        _ if outcome == Outcome::InputHasErrors => list.unchanged(&results),
        Action::Check => list.checked(&results),
        Action::Build => list.built(run.built(), &earlier, &results),
    };
    Ok((outcome, text))
}

/// The options, over which the settings of the function take precedence.
fn with_settings(options: &Options, function: &Function) -> Options {
    let mut options = options.clone();
    if !function.kubernetes.is_empty() {
        options.kubernetes = vec![function.kubernetes];
    }
    if let Some(name) = &function.environment {
        options.environment = vec![name.clone()];
    }
    options.policy = function.policy.or(options.policy);
    options
}

/// A compilation of the items.
struct Run {
    parts: Vec<ItemPart>,
    workspace: Workspace,
    compilation: ManuallyDrop<Compilation>,
}

impl Run {
    /// Compiles items with what the function adds.
    fn of(
        parts: Vec<ItemPart>,
        function: &Function,
        krm: &Krm,
        options: &Options,
    ) -> Result<Self, Failure> {
        let given = |name: &str, text: &str, is_values: bool| Given {
            name: name.to_owned(),
            content: text.into(),
            directory: None,
            is_values,
        };
        let mut all: Vec<_> =
            parts.iter().map(|part| given(&part.name, &part.text, false)).collect();
        all.extend(function.definitions.iter().map(|(name, text)| given(name, text, false)));
        all.extend(function.values.as_ref().map(|it| given(VALUES, it, true)));
        // Who writes the function is not who runs it: its files are below the working directory, or its repository.
        let named = |path| NamedPath { directory: PathBuf::from("."), path };
        let found = function.files.iter().map(PathBuf::from).map(named).collect();
        let inputs = Inputs { found, given: all, ..Inputs::default() };
        let is_check = function.action == Action::Check;
        let purpose = if is_check { Purpose::Check } else { Purpose::Build };
        let (workspace, compilation) = report::compile(&inputs, &krm.kinds, options, purpose)?;
        Ok(Self { parts, workspace, compilation })
    }

    fn built(&self) -> Built<'_> {
        Built::new(&self.workspace, &self.parts, &self.compilation.objects)
    }
}
