//! The objects of one file, as `build` and `effective` print them.

use crate::compile::{Options, Purpose, compile};
use crate::diag::Severity;
use crate::emit::emit_stream;
use crate::source::{FileId, Workspace};

/// Returns the objects that are compiled from a file, or from its document at an offset, as YAML; with
/// `is_effective` those that the controllers create from them. If the files have errors, a comment
/// precedes the objects that exist nevertheless.
#[must_use]
pub fn built(
    workspace: &Workspace,
    options: &Options,
    file: FileId,
    offset: Option<usize>,
    is_effective: bool,
) -> String {
    let mut options = options.clone();
    options.purpose = if is_effective { Purpose::Effective } else { Purpose::Build };
    let mut compilation = compile(workspace, &options);
    let count = |it: &&crate::diag::Diagnostic| it.severity == Severity::Error;
    let errors = compilation.diagnostics.iter().filter(count).count();
    compilation.objects.retain(|object| {
        let (of, span) = workspace.file_and_span(object.document);
        let contains = |at: &usize| span.range().contains(at) || span.range().end == *at;
        of.id() == file && offset.as_ref().is_none_or(contains)
    });
    let objects = emit_stream(&compilation.objects);
    match errors {
        0 => objects,
        1 => format!("# The files have an error.\n{objects}"),
        _ => format!("# The files have {errors} errors.\n{objects}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_objects_of_the_place_are_shown() {
        let mut workspace = Workspace::new();
        let head = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: ";
        let text = format!(
            "{head}{{name: a}}\nspec: {{image: 'b:1'}}\n---\n{head}{{name: b}}\nspec: {{image: 'c:1'}}\n"
        );
        let file = workspace.add("a.yaml", text.as_str());
        workspace.add("b.yaml", format!("{head}{{name: c}}\nspec: {{image: 'd:1'}}\n"));
        let names = |offset, is_effective| {
            let shown = built(&workspace, &Options::default(), file, offset, is_effective);
            let names =
                shown.lines().filter_map(|it| it.strip_prefix("  name: ")).map(str::to_owned);
            (
                shown
                    .lines()
                    .filter(|it| it.starts_with("kind:"))
                    .map(str::to_owned)
                    .collect::<Vec<_>>(),
                names.collect::<Vec<_>>(),
            )
        };
        assert_eq!(names(None, false).1, ["a", "b"]);
        assert_eq!(names(Some(text.len() - 3), false).1, ["b"]);
        assert!(names(Some(3), true).0.contains(&"kind: Pod".to_owned()));
    }
}
