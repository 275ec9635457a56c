//! The environments of a Project, each apart from the others.
//!
//! A run with one environment reads them all. For thousands of environments, that would be millions; so the
//! other environments are replaced by spaces, which keeps all positions.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::discovery::ProjectSource;
use crate::findings::exception;
use crate::sorted::SortedMap;
use crate::source::{FileId, Span, Workspace};

/// The number of environments up to which each run reads all of them.
const FEW: usize = 8;

/// The text of a Project with one environment at a time.
#[derive(Debug)]
pub struct ApartEnvironments {
    file: FileId,
    /// The position of the file in the workspace.
    position: usize,
    /// The text without environments.
    without: String,
    /// From the first environment to the last one.
    region: Range<usize>,
    /// The name and the value of each.
    entries: SortedMap<String, Range<usize>>,
}

impl ApartEnvironments {
    /// The environments of the only one of these Projects. `None` if there are few of them, or if their text is not
    /// the same without the others, as with aliases.
    #[must_use]
    pub fn of(workspace: &Workspace, projects: &[ProjectSource]) -> Option<Self> {
        let [project] = projects else { return None };
        let (file, root) = (project.file(), project.root());
        let text = workspace.file(file).text();
        let environments = root.at(&["spec", "environments"])?;
        let spans: Vec<_> = environments
            .entries()
            .iter()
            .map(|entry| {
                let (key, value) = (entry.key_origin().span(), entry.value().span());
                let range = key.within(file).range().start..value.within(file).range().end;
                (entry.key().to_owned(), range)
            })
            .collect();
        let region = spans.first()?.1.start..spans.last()?.1.end;
        if spans.len() <= FEW
            || !are_apart(text, &spans)
            || !is_plain(text, text.get(region.clone())?)
        {
            return None;
        }
        let mut without = text.to_owned();
        without.replace_range(region.clone(), &blank(text.get(region.clone())?));
        let position = workspace.ids().position(|it| it == file)?;
        Some(Self { file, position, without, region, entries: spans.into_iter().collect() })
    }

    /// The workspace with an environment alone. `None` if the Project does not have it.
    #[must_use]
    pub fn alone(&self, workspace: &Workspace, name: &str) -> Option<Workspace> {
        let range = self.entries.get(name)?.clone();
        let own = workspace.file(self.file).text().get(range.clone())?;
        let mut text = self.without.clone();
        text.replace_range(range, own);
        Some(workspace.with_texts(BTreeMap::from([(self.position, text)])))
    }

    /// Whether a place in a workspace is in an environment.
    pub(super) fn contains(&self, workspace: &Workspace, place: Span) -> bool {
        let (file, span) = workspace.file_and_span(place);
        file.id() == self.file && self.region.contains(&span.range().start)
    }
}

/// Whether each environment follows the one before.
fn are_apart(text: &str, spans: &[(String, Range<usize>)]) -> bool {
    let follows = |pair: &[(String, Range<usize>)]| match pair {
        [(_, one), (_, next)] => {
            one.end <= next.start
                // An explicit key needs the sign before it.
                && text.get(one.end..next.start).is_some_and(|it| !it.contains('?'))
        }
        _ => true,
    };
    spans.windows(2).all(follows) && spans.iter().all(|(_, range)| range.start < range.end)
}

/// Whether a part of a text has no anchors, aliases and exceptions, which have an effect elsewhere, and the text
/// none of the environments' anchors.
fn is_plain(text: &str, region: &str) -> bool {
    !text.contains('*') && !region.contains('&') && !region.contains(exception::WORD)
}

/// A text with spaces in place of all but its line breaks.
fn blank(text: &str) -> String {
    let blank = |byte: u8| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' };
    text.bytes().map(blank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Compilation, Options, compile};

    fn workspace(environments: &str) -> Workspace {
        let mut workspace = Workspace::new();
        let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {name: p}\nspec:\n  values: {tag: '1'}\n  ";
        workspace.add("sandboxc.yaml", format!("{project}environments:{environments}\n"));
        workspace.add("a.yaml", "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: a}\nspec: {image: 'b:{{ values.tag }}'}\n");
        workspace
    }

    /// The findings of all environments: read together, and apart.
    fn found(workspace: &Workspace, is_apart: bool) -> Vec<String> {
        let projects = ProjectSource::all(workspace, workspace.ids());
        let apart = ApartEnvironments::of(workspace, &projects);
        assert!(apart.is_some());
        let apart = apart.filter(|_| is_apart);
        let run = |name: Option<&str>, workspace: &Workspace| {
            let mut options = Options::default();
            options.environment = name.map(str::to_owned);
            compile(workspace, &options)
        };
        let names = ProjectSource::environments_of(&projects);
        let runs = names.iter().map(|name| {
            let alone = apart.as_ref().map(|apart| apart.alone(workspace, name).unwrap());
            (name.clone(), run(Some(name), alone.as_ref().unwrap_or(workspace)))
        });
        let runs = runs.collect();
        let found = match &apart {
            Some(apart) => {
                let whole = run(None, workspace);
                Compilation::of_environments_apart(runs, apart, (workspace, whole))
            }
            None => Compilation::of_environments(runs),
        };
        let found = found.unwrap().diagnostics;
        found.iter().map(|it| format!("{it:?}")).collect()
    }

    #[test]
    fn environments_apart_have_the_findings_of_all() {
        let block: String = (0..20)
            .map(|number| match number {
                3 => "\n    e3: {values: {tag: [1]}}".to_owned(),
                5 => "\n    e5:\n      # Unknown.\n      valuess: {é: 1}\n".to_owned(),
                7 => "\n    e7: {kubernetes: '1.0'} # old".to_owned(),
                _ => format!("\n    e{number}:\n      values: {{tag: '{number}'}}"),
            })
            .collect();
        let flow: Vec<_> = (0..20)
            .map(|number| format!("e{number}: {{values: {{tag: ' {number}'}}, x: 1}}"))
            .collect();
        for environments in [block, format!(" {{{}}}", flow.join(", "))] {
            let workspace = workspace(&environments);
            let all = found(&workspace, false);
            assert!(!all.is_empty());
            assert_eq!(found(&workspace, true), all);
        }
    }

    #[test]
    fn environments_that_need_each_other_stay_together() {
        let ten = |first: &str| {
            let others =
                [1, 2, 3, 4, 5, 6, 7, 8, 9].map(|it| format!("\n    e{it}: {{}}")).concat();
            workspace(&format!("\n    e0: {first}{others}"))
        };
        for (first, is_apart) in [
            ("{values: {tag: '2'}}", true),
            ("&base {values: {tag: '2'}}", false),
            ("{} # sandboxc: allow env-repeated because x", false),
        ] {
            let workspace = ten(first);
            let projects = ProjectSource::all(&workspace, workspace.ids());
            let apart = ApartEnvironments::of(&workspace, &projects);
            assert_eq!(apart.is_some(), is_apart, "{first}");
        }
        let few = workspace(" {a: {}}");
        let projects = ProjectSource::all(&few, few.ids());
        assert!(ApartEnvironments::of(&few, &projects).is_none());
    }
}
