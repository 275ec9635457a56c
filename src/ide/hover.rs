//! What is shown about the text at the cursor: fields and kinds, names, rules, findings, and the values
//! in effect.

use std::ops::Range;

use crate::diag::{Diagnostic, Rule};
use crate::findings::exception;
use crate::findings::secrecy::is_plain;
use crate::markup;
use crate::markup::{Code, Markdown, Markup};
use crate::rules;
use crate::source::{FileId, Workspace};

use super::findings::shown;
use super::index::Index;
use super::outline::{Cursor, Kind, Outline, Slot};
use super::reference::find_mention;

/// A description of a part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The part.
    pub range: Range<usize>,
    /// Its description in Markdown.
    pub text: String,
}

/// Returns the description of what is at an offset of a file: the field of a key, the kind of a document,
/// the object that a name means, the rule that a comment allows. It needs no check.
///
/// ```
/// use sandboxc::{Versions, Workspace, ide};
///
/// let mut workspace = Workspace::new();
/// let text = "apiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nspec: {replicas: 3}\n";
/// workspace.add("pool.yaml", text);
/// let index = ide::Index::of(&workspace, Versions::NONE);
/// let hover = ide::hover(&index, 0, text.find("replicas").unwrap()).unwrap();
/// assert!(hover.text.contains("Number of idle sandboxes."));
/// ```
#[must_use]
pub fn hover(index: &Index, file: usize, offset: usize) -> Option<Hover> {
    let outline = index.outline(file)?;
    let cursor = outline.cursor(offset)?;
    match cursor.slot {
        Slot::Comment => allowed_rule(outline, offset),
        Slot::Key => {
            let text = field(index, outline, &cursor)?;
            Some(Hover { range: cursor.range, text })
        }
        Slot::Value => {
            let text = value(index, outline, &cursor)?;
            Some(Hover { range: cursor.range, text })
        }
        Slot::NewKey { .. } | Slot::Text => None,
    }
}

/// The field of a key.
fn field(index: &Index, outline: &Outline, cursor: &Cursor<'_>) -> Option<String> {
    let path = outline.path_of(cursor);
    let shape = index.shape_at(outline, cursor.document, &path)?;
    let name = match shape.name() {
        // A map with any keys.
        "*" => outline.key(cursor.document.entry(cursor.entry)),
        name => name,
    };
    // A secret value that was written in the wrong place can be a key, too.
    let name = if is_plain(name) { name } else { "*" };
    Some(described(name, &shape.traits(), &shape.page()))
}

/// The name, type and description of something.
fn described(name: &str, traits: &str, page: &Markup<Markdown>) -> String {
    let mut text: Markup<Markdown> = Markup::new();
    text.push(&Code(name));
    if !traits.is_empty() {
        markup!(text, " ({})", traits);
    }
    if !page.is_empty() {
        markup!(text, "\n\n{}", page);
    }
    text.into_string()
}

/// The kind of a document, or the object that a value names.
fn value(index: &Index, outline: &Outline, cursor: &Cursor<'_>) -> Option<String> {
    let document = cursor.document;
    let entry = document.entry(cursor.entry);
    if entry.parent == 0 && entry.kind == Kind::Field && outline.key(entry) == "kind" {
        let (version, kind) = (outline.api_version(document), outline.kind(document));
        let shape = index.shape_of(version, kind)?;
        return Some(described(kind, &shape.traits(), &shape.page()));
    }
    let reference = find_mention(outline, document, cursor.entry)?;
    let found = reference.find(index, outline, document);
    let lines = found.iter().map(|it| {
        let kind = it.outline.kind(it.document);
        let namespace = it.outline.namespace(it.document);
        let mut line: Markup<Markdown> = Markup::new();
        markup!(line, "{} {}", kind, Code(reference.name));
        if !namespace.is_empty() {
            markup!(line, " in {}", Code(namespace));
        }
        line.into_string()
    });
    let mut lines: Vec<_> = lines.collect();
    lines.dedup();
    (!lines.is_empty()).then(|| lines.join("\n\n"))
}

/// The rule that an exception names at an offset.
fn allowed_rule(outline: &Outline, offset: usize) -> Option<Hover> {
    let comment = outline.comment_at(offset)?;
    let text = outline.slice(comment);
    text.contains(exception::WORD).then_some(())?;
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '-';
    let at = text.floor_char_boundary(offset - comment.start);
    let (before, after) = text.split_at_checked(at)?;
    let start = before.trim_end_matches(is_name).len();
    let end = text.len() - after.trim_start_matches(is_name).len();
    let rule = rules::find(text.get(start..end)?)?;
    let range = comment.start + start..comment.start + end;
    Some(Hover { range, text: page(rule) })
}

/// The page of a rule, with its address if it has one.
fn page(rule: &Rule) -> String {
    let link = rules::page_address(rule)
        .map_or_else(String::new, |address| format!("\n\n[{}]({address})", rule.name));
    let page = format!("### {}\n\n{}{link}", rule.name, rules::docs(rule));
    Markup::<Markdown>::of_product(page).into_string()
}

/// Returns the pages of the rules of the findings that an editor shows at an offset of a file.
#[must_use]
pub fn hover_of_findings(
    workspace: &Workspace,
    diagnostics: &[Diagnostic],
    file: FileId,
    offset: usize,
) -> Option<Hover> {
    let source = workspace.file(file);
    let at = diagnostics.iter().filter_map(|it| {
        let (of, span) = workspace.file_and_span(it.primary.span);
        let range = shown(source, span);
        (of.id() == file && range.start <= offset && offset < range.end.max(range.start + 1))
            .then_some((range, it.rule))
    });
    let found: Vec<_> = at.collect();
    let (range, _) = found.first()?;
    let mut rules: Vec<_> = found.iter().map(|it| it.1).collect();
    rules.dedup();
    let pages: Vec<_> = rules.into_iter().map(page).collect();
    Some(Hover { range: range.clone(), text: pages.join("\n\n---\n\n") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Options, compile};
    use crate::schema::Versions;

    /// The part at `^` and its description.
    fn shown(marked: &str, others: &[&str]) -> Option<(String, String)> {
        let offset = marked.find('^').unwrap();
        let text = marked.replacen('^', "", 1);
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text.as_str());
        for other in others {
            workspace.add("b.yaml", *other);
        }
        let found = hover(&Index::of(&workspace, Versions::NONE), 0, offset)?;
        Some((text[found.range].to_owned(), found.text))
    }

    #[test]
    fn a_key_has_its_type_and_description() {
        let pod = "apiVersion: v1\nkind: Pod\nspec:\n  restart^Policy: Always\n";
        let (part, text) = shown(pod, &[]).unwrap();
        assert_eq!(part, "restartPolicy");
        assert!(text.starts_with("`restartPolicy` (Always or Never or OnFailure"), "{text}");
        assert!(text.contains("Restart policy for all containers within the pod."), "{text}");
        let label = "apiVersion: v1\nkind: Pod\nmetadata: {labels: {ap^p: web}}\n";
        assert_eq!(shown(label, &[]).unwrap().1, "`app` (string)");
        let memory = "apiVersion: v1\nkind: Pod\nspec: {containers: [{resources: {limits: {mem^ory: 1Gi}}}]}\n";
        let (_, text) = shown(memory, &[]).unwrap();
        assert!(text.contains("`512Mi` is 536870912"), "{text}");
        assert_eq!(shown("apiVersion: v1\nkind: Pod\nspec: {contain^: []}\n", &[]), None);
    }

    #[test]
    fn a_kind_and_a_name_are_described() {
        let pool = "apiVersion: sandboxc.dev/v1alpha1\nkind: Warm^Pool\nspec: {template: a}\n";
        let (part, text) = shown(pool, &[]).unwrap();
        assert_eq!(part, "WarmPool");
        assert!(text.contains("A pool of idle sandboxes"), "{text}");
        let template =
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Template\nmetadata: {name: python}\n";
        let pool = "apiVersion: sandboxc.dev/v1alpha1\nkind: WarmPool\nspec: {template: py^thon}\n";
        assert_eq!(shown(pool, &[template]).unwrap().1, "Template `python`");
        assert_eq!(shown(pool, &[]), None);
    }

    #[test]
    fn a_rule_has_its_page() {
        let comment = "a: 1 # sandboxc: allow secret-not-found, field-^deprecated because x\n";
        let (part, text) = shown(comment, &[]).unwrap();
        assert_eq!(part, "field-deprecated");
        let comment = "a: 1 # sandboxc: allow secret-not-found, “field-^deprecated” because x\n";
        assert_eq!(shown(comment, &[]).unwrap().0, "field-deprecated");
        assert!(text.starts_with("### field-deprecated\n\n## What it does"), "{text}");
        let mut workspace = Workspace::new();
        let text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {container: []}\n";
        let file = workspace.add("a.yaml", text);
        let findings = compile(&workspace, &Options::default()).diagnostics;
        let at = text.find("container").unwrap();
        let found = hover_of_findings(&workspace, &findings, file, at + 2).unwrap();
        assert_eq!(found.range, at..at + "container".len());
        assert!(found.text.starts_with("### unknown-field"), "{}", found.text);
        assert_eq!(hover_of_findings(&workspace, &findings, file, 0), None);
    }
}
