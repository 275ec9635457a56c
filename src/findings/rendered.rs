//! The template that a document was rendered from, as Helm writes it: in a comment at the start of the
//! document, or, for a post-renderer of Helm 4, in an annotation.
//!
//! The lines of the template are not those of the document, so only its file is known.

use std::sync::{LazyLock, OnceLock};

use memchr::memmem::Finder;

use crate::sorted::SortedMap;
use crate::source::{FileId, SourceFile, Span, Workspace, offset};

/// What precedes the file in the output of `helm template`.
pub const TEMPLATE_COMMENT: &str = "# Source: ";
/// What Helm 4 adds to each object for a post-renderer, and removes afterwards.
const ANNOTATION: &str = "postrenderer.helm.sh/postrender-filename:";

/// The length in bytes above which a comment is not the name of a file.
const LONGEST: usize = 1024;

/// The templates of all documents of the input, which is searched at the first question.
#[derive(Debug)]
pub(crate) struct Templates<'w> {
    workspace: &'w Workspace,
    /// The starts of documents in files with templates, in order, each with its template.
    documents: OnceLock<Documents<'w>>,
}

type Documents<'w> = SortedMap<FileId, Vec<(u32, Option<&'w str>)>>;

impl<'w> Templates<'w> {
    pub(crate) const fn of(workspace: &'w Workspace) -> Self {
        Self { workspace, documents: OnceLock::new() }
    }

    fn read(workspace: &'w Workspace) -> Documents<'w> {
        let files = workspace.ids().map(|id| workspace.file(id));
        files.filter(|file| has_template(file)).map(|file| (file.id(), documents(file))).collect()
    }

    /// The template of the document at a place.
    pub(crate) fn at(&self, place: Span) -> Option<&'w str> {
        Some(self.start_and_template(place)?.1)
    }

    /// The start of the document at a place, and its template.
    pub(crate) fn start_and_template(&self, place: Span) -> Option<(u32, &'w str)> {
        let documents = self.documents.get_or_init(|| Self::read(self.workspace));
        if documents.is_empty() {
            return None;
        }
        let (file, place) = self.workspace.file_and_span(place);
        let documents = documents.get(&file.id())?;
        let number = documents.partition_point(|(start, _)| *start <= place.start);
        let (start, template) = documents.get(number.checked_sub(1)?)?;
        Some((*start, (*template)?))
    }
}

fn has_template(file: &SourceFile) -> bool {
    // To prepare the search takes longer than a small file.
    static WORDS: LazyLock<[Finder<'static>; 2]> =
        LazyLock::new(|| [TEMPLATE_COMMENT, ANNOTATION].map(Finder::new));
    WORDS.iter().any(|it| it.find(file.text().as_bytes()).is_some())
}

fn documents(file: &SourceFile) -> Vec<(u32, Option<&str>)> {
    let mut documents = vec![(0, None)];
    let mut start = 0_u32;
    for line in file.text().split_inclusive('\n') {
        if line.starts_with("---") {
            documents.push((start, None));
        }
        if let (Some(name), Some((_, template @ None))) = (template(line), documents.last_mut()) {
            *template = Some(name);
        }
        // Files end before the last offset of 32 bits.
        start = start.saturating_add(offset(line.len()));
    }
    documents
}

/// The template that a line names.
fn template(line: &str) -> Option<&str> {
    let name = if let Some(name) = line.strip_prefix(TEMPLATE_COMMENT) {
        name.trim()
    } else {
        // The other annotations can be in braces.
        let (before, value) = line.split_once(ANNOTATION)?;
        let before = before.trim_end();
        let is_key = before.is_empty() || before.ends_with(['{', ',']);
        is_key.then(|| value_of(value.trim()))?
    };
    (1..=LONGEST).contains(&name.len()).then_some(name)
}

/// The value of an annotation at the start of a text.
fn value_of(text: &str) -> &str {
    match text.strip_prefix(['\'', '"']) {
        Some(quoted) => quoted.split_once(['\'', '"']).map_or(quoted, |(value, _)| value),
        None => text.split_once([',', '}', ' ']).map_or(text, |(value, _)| value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn templates(text: &str, marks: &[&str]) -> Vec<Option<String>> {
        let mut workspace = Workspace::new();
        workspace.add("other.yaml", "a: 1\n");
        let file = workspace.add("<stdin>", text);
        let templates = Templates::of(&workspace);
        let at = |mark: &&str| {
            let start = u32::try_from(text.find(mark).unwrap()).unwrap();
            templates.at(Span::new(file, start, start + 1)).map(str::to_owned)
        };
        marks.iter().map(at).collect()
    }

    #[test]
    fn a_comment_names_the_template_of_its_document() {
        let text = "a: 1\n---\n# Source: web/templates/b.yaml\nb: 1\n---\nc: 1\n\
            ---\r\n# Source: web/charts/db/templates/d.yaml\r\nd: |\n  # Source: x\n  e\n";
        let expected = [
            None,
            Some("web/templates/b.yaml".to_owned()),
            None,
            Some("web/charts/db/templates/d.yaml".to_owned()),
        ];
        assert_eq!(templates(text, &["a:", "b:", "c:", "  e\n"]), expected);
    }

    #[test]
    fn an_annotation_names_the_template_of_its_object() {
        let text = "kind: A\nmetadata:\n  annotations:\n    \
            postrenderer.helm.sh/postrender-filename: 'web/templates/a.yaml'\n---\nkind: B\n\
            ---\nkind: C\nmetadata:\n  annotations: {\"helm.sh/hook\": post-install, \
            postrenderer.helm.sh/postrender-filename: 'web/templates/c.yaml'}\n";
        let [a, c] = ["a", "c"].map(|it| Some(format!("web/templates/{it}.yaml")));
        assert_eq!(templates(text, &["kind: A", "kind: B", "kind: C"]), [a, None, c]);
    }

    #[test]
    fn a_comment_without_a_name_is_none() {
        assert_eq!(templates("# Source: \na: 1\n", &["a:"]), [None]);
    }
}
