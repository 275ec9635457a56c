//! The value of a field of a definition in the objects that are compiled from it, with its layers.

use std::ops::Range;

use crate::compile::{Options, Purpose, compile};
use crate::diag::{FieldPath, PathStep};
use crate::discovery::ProjectSource;
use crate::kube::Object;
use crate::markup;
use crate::markup::{Code, Fenced, Markdown, Markup};
use crate::source;
use crate::source::{FileId, Span, Workspace};
use crate::tree::Node;
use crate::why::why;

use super::index::Index;
use super::outline::{Slot, Style};

/// The maximum number of objects and of environments whose values are shown.
const SHOWN: usize = 5;

/// Returns the value in effect of the field at an offset, in Markdown: of a field of a definition with the
/// layers that set it, of an expression with its value without and in each environment. The files are compiled for
/// it. `None` where no object has a value from there.
#[must_use]
pub fn effective(
    workspace: &Workspace,
    options: &Options,
    (index, number): (&Index, usize),
    file: FileId,
    offset: usize,
) -> Option<String> {
    let range = value_at(index, number, offset)?;
    let place = Span::new(file, source::offset(range.start), source::offset(range.end));
    let is_expression = workspace.file(file).text().get(range)?.contains("{{");
    let mut options = options.clone();
    options.purpose = Purpose::Build;
    if is_expression && options.environment.is_none() {
        let mut lines: Markup<Markdown> = Markup::new();
        // A build without an environment is the usual one.
        for value in values(workspace, &options, place) {
            lines.literal(if lines.is_empty() { "" } else { "\n\n" });
            lines.push(&Code(&value));
        }
        let environments =
            ProjectSource::environments_of(&ProjectSource::all(workspace, workspace.ids()));
        let mut before = "\n\n";
        for environment in environments.into_iter().take(SHOWN) {
            options.environment = Some(environment.clone());
            for value in values(workspace, &options, place) {
                lines.literal(if lines.is_empty() { "" } else { before });
                before = "\n";
                markup!(lines, "- {}: {}", environment, Code(&value));
            }
        }
        if !lines.is_empty() {
            return Some(lines.into_string());
        }
        options.environment = None;
    }
    let compilation = compile(workspace, &options);
    let found = places(&compilation.objects, place);
    let (object, path) = found.first()?;
    let explanation = why(workspace, &options, &compilation, object, path).ok()?;
    let mut text: Markup<Markdown> = Markup::new();
    text.push(&Fenced { language: "text", text: &explanation.render() });
    if found.len() > 1 {
        markup!(text, "\nThe value is in {} fields of objects.", found.len());
    }
    Some(text.into_string())
}

/// The scalar of the field at an offset of a definition.
fn value_at(index: &Index, file: usize, offset: usize) -> Option<Range<usize>> {
    let outline = index.outline(file)?;
    let cursor = outline.cursor(offset)?;
    let entry = cursor.document.entry(cursor.entry);
    let is_definition = outline.api_version(cursor.document) == crate::lower::API_VERSION;
    let is_place = matches!(cursor.slot, Slot::Key | Slot::Value);
    let range = entry.value.clone().filter(|_| entry.style == Style::Scalar)?;
    (is_definition && is_place).then_some(range)
}

/// The values that objects have from a place, each once.
fn values(workspace: &Workspace, options: &Options, place: Span) -> Vec<String> {
    let compilation = compile(workspace, options);
    let mut values: Vec<String> = Vec::new();
    for (object, path) in places(&compilation.objects, place) {
        let Ok(explanation) = why(workspace, options, &compilation, object, &path) else {
            continue;
        };
        let value = explanation.value.unwrap_or_default();
        if !values.contains(&value) {
            values.push(value);
        }
        if values.len() == SHOWN {
            break;
        }
    }
    values
}

/// The fields of objects whose values are from a place.
fn places(objects: &[Object], place: Span) -> Vec<(&Object, FieldPath)> {
    let mut found = Vec::new();
    for object in objects {
        let mut steps = Vec::new();
        collect(object.root(), place, &mut steps, &mut |path| {
            found.push((object, path.iter().cloned().collect()));
        });
    }
    found
}

fn collect(
    node: &Node,
    place: Span,
    steps: &mut Vec<PathStep>,
    found: &mut dyn FnMut(&[PathStep]),
) {
    let is_leaf = node.entries().is_empty() && node.items().is_empty();
    let origin = node.origin();
    if is_leaf && origin.layer().is_none() && origin.span().start_point() == place.start_point() {
        found(steps);
    }
    for entry in node.entries() {
        steps.push(PathStep::Field(entry.key().into()));
        collect(entry.value(), place, steps, found);
        steps.pop();
    }
    for (at, item) in node.items().iter().enumerate() {
        steps.push(PathStep::Index(at));
        collect(item, place, steps, found);
        steps.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Versions;

    fn shown(marked: &str, project: &str) -> Option<String> {
        let offset = marked.find('^').unwrap();
        let mut workspace = Workspace::new();
        let file = workspace.add("a.yaml", marked.replacen('^', "", 1));
        workspace.add("sandboxc.yaml", project);
        let index = Index::of(&workspace, Versions::NONE);
        effective(&workspace, &Options::default(), (&index, 0), file, offset)
    }

    const PROJECT: &str = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  values: {tag: '1'}\n  \
        environments:\n    dev: {}\n    prod: {values: {tag: '2'}}\n";

    #[test]
    fn a_field_has_its_layers() {
        let text = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: web}\n\
            spec:\n  image: a:1\n  service^AccountName: robot\n";
        let shown = shown(text, PROJECT).unwrap();
        assert!(shown.contains("serviceAccountName: robot"), "{shown}");
        assert!(shown.contains("a.yaml:6"), "{shown}");
    }

    #[test]
    fn an_expression_has_its_value_in_each_environment() {
        let text = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: web}\n\
            spec:\n  image: 'a:^{{ values.tag }}'\n";
        assert_eq!(shown(text, PROJECT).unwrap(), "`a:1`\n\n- dev: `a:1`\n- prod: `a:2`");
        let without = PROJECT.replacen("values: {tag: '1'}", "values: {}", 1);
        assert_eq!(shown(text, &without).unwrap(), "- prod: `a:2`");
    }

    #[test]
    fn an_expression_of_a_repeated_definition_has_all_its_values() {
        let text = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: 'web-{{ index }}'}\n\
            expand: {count: 7}\nspec:\n  image: 'a:^{{ index }}'\n";
        // The first five.
        let expected = ["`a:0`", "`a:1`", "`a:2`", "`a:3`", "`a:4`"].join("\n\n");
        assert_eq!(shown(text, "").unwrap(), expected);
    }

    #[test]
    fn ordinary_objects_are_what_they_are() {
        let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: ^v}\n";
        assert_eq!(shown(text, PROJECT), None);
    }
}
