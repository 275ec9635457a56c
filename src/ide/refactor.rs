//! Changes of definitions and the Project that are not repairs: a base Template for the fields of a
//! definition, the opposite, and objects of the cluster that a Project declares.

use std::ops::Range;

use crate::diag::{About, Diagnostic, ObjectName};
use crate::kube::meeting_namespace;
use crate::language::KindName;
use crate::lower::API_VERSION;
use crate::schema::store;
use crate::source::lines;

use super::hints::base;
use super::index::{Declared, Index};
use super::navigation::FileRange;
use super::outline::{Document, Entry, Kind, Outline, Style};
use super::reference::base_kind;

/// A change that an editor offers at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refactoring {
    /// An imperative.
    pub title: String,
    /// The kind of the change.
    pub kind: RefactoringKind,
    /// The parts of files to replace, each with the new text.
    pub edits: Vec<(FileRange, String)>,
}

/// The kind of a [`Refactoring`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefactoringKind {
    /// Fields become a base Template.
    Extract,
    /// The fields of a base become those of a definition.
    Inline,
}

/// Fields of a base that a definition does not inherit.
const OWN: [&str; 2] = ["abstract", "extends"];

/// Returns the changes for the definition at an offset of a file.
#[must_use]
pub fn refactorings(index: &Index, file: usize, offset: usize) -> Vec<Refactoring> {
    let found = || {
        let outline = index.outline(file)?;
        // The lines of an item of a List cannot be those of a document.
        let document = outline.document_at(offset).filter(|it| !it.is_item())?;
        let declared = Declared { file, outline, document };
        base_kind(outline.kind(document)).filter(|_| declared.is_definition())?;
        let spec = document.at(outline, &["spec"])?;
        // A spec in brackets has no lines of its own.
        (document.entry(spec).style == Style::Open)
            .then(|| [extract(index, &declared, spec), inline(index, &declared, spec)])
    };
    found().into_iter().flatten().flatten().collect()
}

/// The lines of an entry in block style, with their line breaks.
fn lines_of(outline: &Outline, entry: &Entry) -> Range<usize> {
    let text = outline.text();
    let range = entry.range();
    lines::start(text, range.start)..lines::next(text, range.end)
}

/// The indentation of the first field of a spec.
fn indentation(outline: &Outline, document: &Document, spec: usize) -> String {
    let Some((_, first)) = document.children(spec).next() else { return String::new() };
    let start = lines::start(outline.text(), first.key.start);
    outline.slice(&(start..first.key.start)).to_owned()
}

/// Moves all fields of a definition to an abstract Template that it then extends.
fn extract(index: &Index, declared: &Declared<'_>, spec: usize) -> Option<Refactoring> {
    let Declared { file, outline, document } = *declared;
    let name = outline.name(document);
    let own = |it: &Entry| outline.key(it) == "abstract";
    let moved: Vec<_> = document.children(spec).map(|it| it.1).filter(|it| !own(it)).collect();
    let is_plain = moved.iter().all(|it| it.kind == Kind::Field);
    if moved.is_empty() || !is_plain || name.is_empty() || name.contains("{{") {
        return None;
    }
    let kind = base_kind(outline.kind(document))?;
    // A base does not have all fields of those that extend it.
    let fields_of_base = index.shape_of(API_VERSION, kind)?.field("spec")?;
    if moved.iter().any(|it| fields_of_base.field(outline.key(it)).is_none()) {
        return None;
    }
    let is_taken = |name: &str| index.named(name).any(|it| it.is_one_of(&[kind]));
    let base = format!("{name}-base");
    if is_taken(&base) {
        return None;
    }
    let indentation = indentation(outline, document, spec);
    let whole = lines_of(outline, moved.first()?).start..lines_of(outline, moved.last()?).end;
    // With the comments between the fields.
    let mut fields = outline.slice(&whole).to_owned();
    let mut kept = String::new();
    if let Some((_, entry)) = document.children(spec).find(|(_, it)| own(it)) {
        let range = lines_of(outline, entry);
        if whole.start <= range.start && range.end <= whole.end {
            outline.slice(&range).clone_into(&mut kept);
            fields.replace_range(range.start - whole.start..range.end - whole.start, "");
        }
    }
    let namespace = match outline.namespace(document) {
        "" => String::new(),
        namespace => format!("\n  namespace: {namespace}"),
    };
    let end = document.range.end;
    let start = line_break(outline, end);
    let is_last_line = !fields.ends_with('\n');
    let template = format!(
        "{start}---\napiVersion: {API_VERSION}\nkind: {kind}\nmetadata:\n  name: {base}{namespace}\nspec:\n{indentation}abstract: true\n{fields}{}",
        if is_last_line { "\n" } else { "" }
    );
    let child = format!("{indentation}extends: {base}\n{kept}");
    let edits = if is_last_line {
        // Both are at the end of the file.
        vec![(FileRange { file, range: whole }, format!("{child}{}", template.trim_start()))]
    } else {
        vec![
            (FileRange { file, range: whole }, child),
            (FileRange { file, range: end..end }, template),
        ]
    };
    let title = format!("Extract a base {kind} `{base}`");
    Some(Refactoring { title, kind: RefactoringKind::Extract, edits })
}

/// Writes the fields of the base of a definition in the definition. Not offered where both have a map or
/// a list, which are merged.
fn inline(index: &Index, declared: &Declared<'_>, spec: usize) -> Option<Refactoring> {
    let Declared { file, outline, document } = *declared;
    let from = base(index, declared)?;
    let base_spec = from.document.at(from.outline, &["spec"])?;
    if from.document.entry(base_spec).style != Style::Open {
        return None;
    }
    let fields = index.shape_of(API_VERSION, outline.kind(document))?.field("spec")?;
    let indentation = indentation(outline, document, spec);
    if self::indentation(from.outline, from.document, base_spec) != indentation {
        return None;
    }
    let mut text = String::new();
    for (_, entry) in from.document.children(base_spec) {
        let name = from.outline.key(entry);
        // A definition does not have all fields of its base.
        let is_left = name == OWN[0] || fields.field(name).is_none();
        let own = document.field(outline, spec, name).filter(|_| !OWN.contains(&name));
        if let Some(own) = own {
            let is_scalar = |it: &Entry| it.style == Style::Scalar;
            if !is_scalar(entry) || !is_scalar(document.entry(own)) {
                return None;
            }
        } else if !is_left {
            text.push_str(from.outline.slice(&lines_of(from.outline, entry)));
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
    }
    let extends = document.entry(document.field(outline, spec, "extends")?);
    let edits = vec![(FileRange { file, range: lines_of(outline, extends) }, text)];
    let title = format!("Inline `{}`", from.outline.name(from.document));
    Some(Refactoring { title, kind: RefactoringKind::Inline, edits })
}

/// Returns the change of a Project after which an object that a finding misses is one of the cluster. `None`
/// for other findings, and without a Project in block style.
#[must_use]
pub fn declare_external(
    index: &Index,
    diagnostic: &Diagnostic,
) -> Option<(String, FileRange, String)> {
    let About::AbsentObject(object) = &diagnostic.details().about else { return None };
    let project = index.declared().find(Declared::is_project)?;
    let Declared { file, outline, document } = project;
    let spec = document.at(outline, &["spec"])?;
    let item = external_item(index, object, outline.scalar_at(document, &["spec", "namespace"]));
    let title = format!("Declare {} `{}` as external", object.kind, object.name);
    let entry = document.entry(spec);
    let (at, text) = if let Some(list) = document.field(outline, spec, "external") {
        let last = document.children(list).last().map(|it| it.1)?;
        if document.entry(list).style == Style::Brackets {
            (last.range().end, format!(", {item}"))
        } else {
            let line = lines_of(outline, last);
            let start = outline.text().get(line.start..last.key.start)?;
            (line.end, format!("{}{start}- {item}\n", line_break(outline, line.end)))
        }
    } else if entry.style == Style::Open {
        let column = match document.children(spec).next() {
            Some(_) => indentation(outline, document, spec),
            None => "  ".to_owned(),
        };
        let end = lines_of(outline, entry).end;
        let start = line_break(outline, end);
        (end, format!("{start}{column}external:\n{column}  - {item}\n"))
    } else {
        let range = entry.value.clone().filter(|it| outline.slice(it).ends_with('}'))?;
        let is_empty = outline.slice(&range).trim_matches(['{', '}']).trim().is_empty();
        let comma = if is_empty { "" } else { ", " };
        (range.end - 1, format!("{comma}external: [{item}]"))
    };
    Some((title, FileRange { file, range: at..at }, text))
}

/// A line break, unless one is before the offset.
fn line_break(outline: &Outline, at: usize) -> &'static str {
    let is_missing = outline.text().get(..at).is_some_and(|it| !it.ends_with('\n'));
    if is_missing { "\n" } else { "" }
}

/// An item of `external`: the short form, if there is one for the kind.
fn external_item(index: &Index, object: &ObjectName, project_namespace: &str) -> String {
    let ObjectName { name, namespace, kind, group } = object;
    let known = store::kinds_named(kind).iter().find(|it| it.group == group.as_str());
    let is_near = meeting_namespace(namespace) == meeting_namespace(project_namespace);
    match known {
        Some(known) if !known.is_namespaced || is_near => {
            format!("{}/{name}", kind.to_lowercase())
        }
        Some(_) => format!("{}/{namespace}/{name}", kind.to_lowercase()),
        None => {
            let of_group = |it: &&KindName| {
                let own = it.api_version.split_once('/');
                it.kind == *kind && own.is_some_and(|it| it.0 == group.as_str())
            };
            let kinds = index.kinds();
            let known = kinds.iter().filter(of_group).max_by_key(|it| it.is_stable);
            let version = known.map_or_else(|| format!("{group}/v1"), |it| it.api_version.clone());
            let namespace =
                if is_near { String::new() } else { format!(", namespace: {namespace}") };
            format!("{{apiVersion: {version}, kind: {kind}, name: {name}{namespace}}}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Options, compile};
    use crate::emit::emit_stream;
    use crate::schema::Versions;
    use crate::source::Workspace;

    const HEAD: &str = "apiVersion: sandboxc.dev/v1alpha1\n";

    fn workspace(texts: &[String]) -> Workspace {
        let mut workspace = Workspace::new();
        for (number, text) in texts.iter().enumerate() {
            workspace.add(format!("{number}.yaml"), text.as_str());
        }
        workspace
    }

    fn apply(texts: &mut [String], edits: &[(FileRange, String)]) {
        let mut edits: Vec<_> = edits.iter().collect();
        edits.sort_by_key(|it| std::cmp::Reverse(it.0.range.start));
        for (place, text) in edits {
            texts[place.file].replace_range(place.range.clone(), text);
        }
    }

    /// The objects, without the bases.
    fn built(texts: &[String]) -> String {
        emit_stream(&compile(&workspace(texts), &Options::default()).objects)
    }

    fn offered(texts: &[String], kind: RefactoringKind) -> Option<Refactoring> {
        let index = Index::of(&workspace(texts), Versions::NONE);
        let at = texts[0].rfind("image").unwrap_or(0);
        refactorings(&index, 0, at).into_iter().find(|it| it.kind == kind)
    }

    #[test]
    fn a_base_is_extracted_and_inlined_again() {
        let text = format!(
            "# Of the team.\n{HEAD}kind: Template\nmetadata: {{name: python}}\nspec:\n  env:\n    - name: A\n      \
             value: b\n  # Pinned.\n  image: python:3.13\n"
        );
        let after = format!(
            "---\n{HEAD}kind: WarmPool\nmetadata: {{name: a}}\nspec: {{template: python}}\n"
        );
        for rest in ["", &after] {
            let mut texts = vec![format!("{text}{rest}")];
            let before = built(&texts);
            let extract = offered(&texts, RefactoringKind::Extract).unwrap();
            assert_eq!(extract.title, "Extract a base Template `python-base`");
            apply(&mut texts, &extract.edits);
            let extracted = text.replacen("  env:", "  extends: python-base\n---\nBASE  env:", 1).replace(
                "BASE",
                &format!("{HEAD}kind: Template\nmetadata:\n  name: python-base\nspec:\n  abstract: true\n"),
            );
            assert_eq!(texts[0], format!("{extracted}{rest}"));
            assert_eq!(built(&texts), before);
            let index = Index::of(&workspace(&texts), Versions::NONE);
            let at = texts[0].find("extends").unwrap();
            let found = refactorings(&index, 0, at).into_iter();
            let inline = found.clone().find(|it| it.kind == RefactoringKind::Inline).unwrap();
            apply(&mut texts, &inline.edits);
            assert_eq!(built(&texts), before);
        }
    }

    #[test]
    fn a_file_without_a_last_line_break_is_extended() {
        let mut texts =
            vec![format!("{HEAD}kind: Template\nmetadata: {{name: a}}\nspec:\n  image: b:1")];
        let before = built(&texts);
        let extract = offered(&texts, RefactoringKind::Extract).unwrap();
        apply(&mut texts, &extract.edits);
        assert_eq!(built(&texts), before, "{}", texts[0]);
    }

    #[test]
    fn lists_that_are_merged_are_not_inlined() {
        let base = format!(
            "{HEAD}kind: Template\nmetadata: {{name: base}}\nspec:\n  env: [{{name: A, value: a}}]\n"
        );
        let child = format!(
            "{HEAD}kind: Sandbox\nmetadata: {{name: a}}\nspec:\n  extends: base\n  image: b:1\n  env: [{{name: B, value: b}}]\n"
        );
        assert!(offered(&[child, base], RefactoringKind::Inline).is_none());
    }

    /// The Project after an absent Secret is declared.
    fn declared(project: &str) -> String {
        let sandbox = "kind: Sandbox\nmetadata: {name: a}\nspec:\n  image: b:1\n  imagePullSecrets: [{name: creds}]\n";
        declared_for(sandbox, project, ("Secret `creds`", "secret-not-found"))
    }

    /// The Project after the object that a definition misses is declared.
    fn declared_for(definition: &str, project: &str, (object, rule): (&str, &str)) -> String {
        let mut texts =
            vec![format!("{HEAD}{definition}"), format!("{HEAD}kind: Project\n{project}")];
        let files = workspace(&texts);
        let findings = compile(&files, &Options::default()).diagnostics;
        let index = Index::of(&files, Versions::NONE);
        let found = findings.iter().find_map(|it| declare_external(&index, it));
        let (title, place, text) = found.expect("a finding about the Secret");
        assert_eq!(title, format!("Declare {object} as external"));
        apply(&mut texts, &[(place, text)]);
        let left = compile(&workspace(&texts), &Options::default()).diagnostics;
        assert!(left.iter().all(|it| it.rule.name != rule), "{}", texts[1]);
        texts[1].strip_prefix(&format!("{HEAD}kind: Project\n")).unwrap().to_owned()
    }

    #[test]
    fn an_absent_custom_resource_is_declared_with_its_version() {
        let pool =
            "kind: WarmPool\nmetadata: {name: a, namespace: pools}\nspec: {template: python}\n";
        let absent = ("SandboxTemplate `python`", "template-not-found");
        // The version of agent-sandbox's release that the CustomResourceDefinitions are from.
        let version = "extensions.agents.x-k8s.io/v1beta1";
        for (namespace, rest) in [("pools", ""), ("other", ", namespace: pools")] {
            let item =
                format!("{{apiVersion: {version}, kind: SandboxTemplate, name: python{rest}}}");
            assert_eq!(
                declared_for(pool, &format!("spec: {{namespace: {namespace}}}\n"), absent),
                format!("spec: {{namespace: {namespace}, external: [{item}]}}\n")
            );
        }
    }

    #[test]
    fn an_absent_object_is_declared_in_the_project() {
        assert_eq!(declared("spec: {}\n"), "spec: {external: [secret/creds]}\n");
        assert_eq!(
            declared("spec:\n  kubernetes: '1.36'\n"),
            "spec:\n  kubernetes: '1.36'\n  external:\n    - secret/creds\n"
        );
        assert_eq!(
            declared("spec:\n  external:\n  - secret/other # why"),
            "spec:\n  external:\n  - secret/other # why\n  - secret/creds\n"
        );
        assert_eq!(
            declared("spec: {external: [secret/other]}\n"),
            "spec: {external: [secret/other, secret/creds]}\n"
        );
    }
}
