//! Words that an editor shows after a text: how often a definition is used, what it expands to, and what it
//! inherits.

use super::index::{Declared, Index};
use super::navigation::uses;
use super::outline::{Document, Kind, Outline, Style};
use super::reference::base_kind;
use crate::findings::secrecy::ends_as_credential;
use crate::sorted::{CompactSort as _, SortedMap};

/// The maximum number of inherited fields in a hint.
const FIELDS: usize = 4;

/// The maximum length of a value in a hint.
const VALUE: usize = 30;

/// Words after a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The offset after which they are shown.
    pub offset: usize,
    /// The words.
    pub text: String,
    /// What they say.
    pub kind: HintKind,
}

/// What a [`Hint`] says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HintKind {
    /// How many documents refer to a definition.
    Uses,
    /// How many definitions `expand` makes.
    Expansion,
    /// The fields that a definition has from the one that it extends.
    Inherited,
}

/// Returns the hints of a file, in order.
#[must_use]
pub fn hints(index: &Index, file: usize) -> Vec<Hint> {
    let Some(outline) = index.outline(file) else { return Vec::new() };
    let mut hints = Vec::new();
    let documents = outline.documents().iter();
    let declared = documents.map(|document| Declared { file, outline, document });
    let declared: Vec<_> = declared.filter(Declared::is_definition).collect();
    for (declared, users) in declared.iter().zip(uses(index, &declared)) {
        let document = declared.document;
        let mut add = |offset: Option<usize>, text: Option<String>, kind| {
            hints.extend(offset.zip(text).map(|(offset, text)| Hint { offset, text, kind }));
        };
        let end_of_name = document.head.name.map(|it| document.entry(it).range().end);
        add(end_of_name, used_by(&users), HintKind::Uses);
        let expand = document.at(outline, &["expand"]);
        let end_of_key = expand.map(|it| document.entry(it).key.end + 1);
        add(
            end_of_key,
            expand.and_then(|it| expansion(outline, document, it)),
            HintKind::Expansion,
        );
        let extends = document.at(outline, &["spec", "extends"]);
        let end_of_value = extends.map(|it| document.entry(it).range().end);
        add(end_of_value, inherited(index, declared), HintKind::Inherited);
    }
    hints.compact_sort_by_key(|it| (it.offset, it.kind));
    hints
}

/// `used by 3 WarmPools, 1 Template`.
fn used_by(users: &[Declared<'_>]) -> Option<String> {
    let mut kinds = SortedMap::<_, usize>::new();
    for user in users {
        *kinds.entry(user.outline.kind(user.document)).or_default() += 1;
    }
    let count = |(kind, count): (&str, usize)| {
        format!("{count} {kind}{}", if count == 1 { "" } else { "s" })
    };
    let counts: Vec<_> = kinds.into_iter().map(count).collect();
    (!counts.is_empty()).then(|| format!("used by {}", counts.join(", ")))
}

/// `expands to 100`, if the text says so itself.
fn expansion(outline: &Outline, document: &Document, expand: usize) -> Option<String> {
    let field = |name| document.field(outline, expand, name);
    let length = |at: usize| {
        let entry = document.entry(at);
        let items = document.children(at).filter(|(_, it)| matches!(it.kind, Kind::Item(_)));
        (entry.style != Style::Scalar).then(|| items.count())
    };
    let number = if let Some(count) = field("count") {
        outline.scalar(document.entry(count)).parse().ok()?
    } else if let Some(items) = field("items") {
        length(items)?
    } else {
        let lists = document.children(field("matrix")?);
        lists.map(|(at, _)| length(at)).try_fold(1_usize, |all, it| all.checked_mul(it?))?
    };
    Some(format!("expands to {number}"))
}

/// `inherits image: python:3.13, env`.
fn inherited(index: &Index, declared: &Declared<'_>) -> Option<String> {
    let Declared { outline, document, .. } = *declared;
    let spec = document.at(outline, &["spec"])?;
    let mut known: Vec<&str> = document.children(spec).map(|(_, it)| outline.key(it)).collect();
    known.extend(["extends", "abstract"]);
    let mut fields = Vec::new();
    let mut seen = vec![*declared];
    while let Some(base) = seen.last().and_then(|it| base(index, it)) {
        if seen.iter().any(|it| std::ptr::eq(it.document, base.document)) {
            break;
        }
        let Some(spec) = base.document.at(base.outline, &["spec"]) else { break };
        for (_, entry) in base.document.children(spec) {
            let name = base.outline.key(entry);
            if !known.contains(&name) {
                known.push(name);
                let value = base.outline.scalar(entry);
                let is_shown =
                    !value.is_empty() && value.len() <= VALUE && !ends_as_credential(name);
                fields.push(if is_shown { format!("{name}: {value}") } else { name.to_owned() });
            }
        }
        seen.push(base);
    }
    if fields.is_empty() {
        return None;
    }
    let more = fields.len().saturating_sub(FIELDS);
    fields.truncate(FIELDS);
    let rest = if more == 0 { String::new() } else { format!(", and {more} more") };
    Some(format!("inherits {}{rest}", fields.join(", ")))
}

/// The definition that another one extends.
pub(super) fn base<'i>(index: &'i Index, declared: &Declared<'i>) -> Option<Declared<'i>> {
    let Declared { outline, document, .. } = *declared;
    let kind = base_kind(outline.kind(document))?;
    let name = outline.scalar_at(document, &["spec", "extends"]);
    let is_base = |it: &Declared<'_>| {
        it.is_definition()
            && it.outline.kind(it.document) == kind
            && it.outline.namespace(it.document) == outline.namespace(document)
    };
    index.named(name).find(is_base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Versions;
    use crate::source::Workspace;

    const HEAD: &str = "apiVersion: sandboxc.dev/v1alpha1\n";

    #[test]
    fn uses_expansions_and_inherited_fields_are_shown() {
        let text = format!(
            "{HEAD}kind: Template\nmetadata: {{name: base}}\nspec:\n  image: python:3.13\n  env: [{{name: A, value: b}}]\n---\n\
             {HEAD}kind: Template\nmetadata: {{name: child}}\nspec:\n  extends: base\n  workingDir: /a\n---\n\
             {HEAD}kind: Claim\nexpand: {{matrix: {{a: [1, 2], b: [x, y, z]}}}}\nmetadata: {{name: c}}\nspec: {{warmPool: pool}}\n---\n\
             {HEAD}kind: WarmPool\nexpand:\n  count: 100\nmetadata: {{name: 'p-{{{{ index }}}}'}}\nspec: {{template: base}}\n"
        );
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text.as_str());
        let found = hints(&Index::of(&workspace, Versions::NONE), 0);
        let found: Vec<_> = found
            .iter()
            .map(|it| (text[..it.offset].lines().last().unwrap(), it.text.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                ("metadata: {name: base", "used by 1 Template, 1 WarmPool"),
                ("  extends: base", "inherits image: python:3.13, env"),
                ("expand:", "expands to 6"),
                ("expand:", "expands to 100"),
            ]
        );
    }

    #[test]
    fn a_circle_of_bases_ends() {
        let text = format!(
            "{HEAD}kind: Template\nmetadata: {{name: a}}\nspec: {{extends: b, image: x}}\n---\n\
             {HEAD}kind: Template\nmetadata: {{name: b}}\nspec: {{extends: a}}\n"
        );
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", text);
        assert!(!hints(&Index::of(&workspace, Versions::NONE), 0).is_empty());
    }
}
