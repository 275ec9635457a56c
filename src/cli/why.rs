//! `why`: which layer set a field, and what it replaced.

use std::path::PathBuf;

use sandboxc::{
    Annotations, Diagnostic, FieldPath, ObjectQuery, Paint, QueryError, Scope, Severity,
    explanations_to_json, why, why_all,
};

use super::arguments::{Inputs, Options, Why, WhyFormat};
use super::failure::Failure;
use super::report::{Findings, compile_to_ask};
use super::{Outcome, output};
use sandboxc_files::kind_of_named;

pub(crate) fn run(asked: &Why, options: &Options) -> Result<Outcome, Failure> {
    let Question { inputs, object, path } = Question::read(&asked.arguments)?;
    let (named, exclude) = (asked.named.clone(), asked.exclude.clone());
    let inputs = Inputs { inputs: inputs.to_vec(), named, exclude, ..Inputs::default() };
    let (mut workspace, mut settings, compilation) =
        compile_to_ask(&inputs, &asked.kinds, options)?;
    if compilation.has_errors() {
        workspace.mask(&compilation.secrets);
        let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
        let errors: Vec<_> = compilation.diagnostics.iter().filter(is_error).cloned().collect();
        return Findings::of_texts(&workspace, &errors).report(options);
    }
    let found = object.find_compiled(&compilation.objects, &compilation.inputs);
    let refused = |error: QueryError| Failure::usage(error.to_string(), error.help().to_owned());
    let found = found.map_err(refused)?;
    let file = workspace.file_at(found.document()).id();
    Scope::enter(std::mem::take(&mut settings.scopes), &mut workspace, file);
    let text = match (path, asked.to) {
        (Some(path), WhyFormat::Text) => {
            let explanation = why(&workspace, &settings, &compilation, found, &path);
            output::show(&explanation.map_err(refused)?.render(), Paint::Plain)?;
            return Ok(Outcome::Clean);
        }
        (Some(path), WhyFormat::Json) => {
            let explanation = why(&workspace, &settings, &compilation, found, &path);
            explanations_to_json(&[explanation.map_err(refused)?])
        }
        (None, WhyFormat::Text) => Annotations::new(&workspace, &compilation)
            .explain_object(&settings, found)
            .map_err(refused)?,
        (None, WhyFormat::Json) => {
            let all = why_all(&workspace, &settings, &compilation, found).map_err(refused)?;
            explanations_to_json(&all)
        }
    };
    output::print(&text)?;
    Ok(Outcome::Clean)
}

/// The question on the command line.
struct Question<'a> {
    inputs: &'a [PathBuf],
    object: ObjectQuery,
    path: Option<FieldPath>,
}

impl<'a> Question<'a> {
    /// Inputs come first; the last argument is the object, or a path after the object. A path that exists is an
    /// input unless it begins with a capital letter.
    fn read(arguments: &'a [PathBuf]) -> Result<Self, Failure> {
        let object = |argument: &PathBuf| {
            let text = argument.to_string_lossy();
            let by_kind = || ObjectQuery::parse_like_kubectl(&text);
            let by_kind = || by_kind().filter(|_| kind_of_named(argument).is_err());
            ObjectQuery::parse(&text).or_else(by_kind)
        };
        if let [inputs @ .., last] = arguments
            && let Some(object) = object(last)
        {
            return Ok(Self { inputs, object, path: None });
        }
        if let [inputs @ .., before, last] = arguments
            && let Some(object) = object(before)
        {
            // As in jq and in kubectl's templates.
            let path = last.to_string_lossy();
            let path = path.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap_or(&path);
            let path = FieldPath::from(path.strip_prefix('.').unwrap_or(path));
            return Ok(Self { inputs, object, path: Some(path) });
        }
        let last = arguments.last().map_or_else(String::new, |last| last.display().to_string());
        Err(Failure::usage(
            format!("`{}` is neither an object nor a path after one", last.escape_debug()),
            "write the object after the inputs: `sandboxc why definitions Sandbox/dev spec.service`",
        ))
    }
}
