//! The files of a run that are not compiled, and the notes about them.

use super::path::{Outermost, folder_of};
use super::{chart, kustomization, manifest};
use crate::diag::{Diagnostic, Message, Rule, Sink, Words, declare_rules, first_of, message};
use crate::sorted::{SortedMap, SortedSet};
use crate::source::{FileId, FileRole, Span, Workspace};
use crate::yaml;

declare_rules! {
    BUILD_OUTPUT_SKIPPED = "build-output-skipped", Note;
    FILE_NOT_A_MANIFEST = "file-not-a-manifest", Note;
    HELM_CHART_SKIPPED = "helm-chart-skipped", Note;
    KUSTOMIZATION_SKIPPED = "kustomization-skipped", Note;
    PATCH_SKIPPED = "patch-skipped", Note;
    TEMPLATE_SKIPPED = "template-skipped", Note;
    VENDORED_SKIPPED = "vendored-skipped", Note;
}

/// The number of files or folders that a note lists by name.
const MAX_NAMED: usize = 10;

/// The reason for which a single file is skipped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Why {
    /// A configuration file of a program.
    Configuration,
    /// No document has `apiVersion` or `kind`.
    Other,
    /// A patch, by its path.
    Patch,
    /// A template of another program.
    Template,
    /// A file of a dependency, by its path.
    Vendored,
}

/// The skipped files, by reason.
#[derive(Debug, Default)]
pub(crate) struct Skipped {
    /// The folders of Helm charts, each with the span to show.
    charts: SortedMap<String, Span>,
    /// Kustomizations, by name.
    kustomizations: SortedMap<String, Span>,
    /// The folders of the kustomizations with the usual names.
    kustomized: Outermost,
    /// Single files by reason, in the order of the run.
    single: SortedMap<Why, Vec<(String, Span)>>,
    /// The resources of kustomizations, each with the folder of one that lists it.
    resources: SortedMap<FileId, String>,
    /// The patches that kustomizations list.
    patches: SortedSet<FileId>,
    /// All files that are not compiled.
    files: SortedSet<FileId>,
}

impl Skipped {
    /// Finds charts, and kustomizations with their patches, among the files that were found in
    /// folders.
    pub(crate) fn find(workspace: &Workspace) -> Self {
        let mut skipped = Self::default();
        let files = workspace.ids().map(|id| workspace.file(id));
        let is_found = |it: FileRole| matches!(it, FileRole::Found | FileRole::Context);
        let found: Vec<_> = files.filter(|it| is_found(it.role())).collect();
        let names: Vec<_> = found.iter().map(|it| it.name()).collect();
        let charts = chart::charts(&names);
        // A kustomization in a deep folder can list a million paths: only those of files are kept.
        let known: SortedSet<_> = names.iter().copied().collect();
        let is_known = |path: &String| known.contains(path.as_str());
        let (mut parts, mut patches) = (SortedSet::new(), SortedSet::new());
        let mut resources = SortedMap::new();
        let mut budget = yaml::Budget::default();
        for file in &found {
            let place = Span::new(file.id(), 0, 0);
            let chart = charts.around(file.name());
            if let Some(chart) = chart.filter(|chart| chart::is_part(file.name(), chart)) {
                skipped.files.insert(file.id());
                let shown = skipped.charts.entry(chart.to_owned()).or_insert(place);
                if file.name() == format!("{chart}/Chart.yaml") {
                    *shown = place;
                }
            } else if kustomization::has_name(file.name()) && file.unreadable().is_none() {
                let (id, text) = (file.id(), file.text());
                let sink = &mut Sink::unused();
                for document in yaml::documents_within(id, text, &mut budget, sink).read {
                    let root = &document.root;
                    parts.extend(kustomization::parts(file.name(), root).filter(is_known));
                    patches.extend(kustomization::patches(file.name(), root).filter(is_known));
                    let listed = kustomization::resources(file.name(), root).filter(is_known);
                    for resource in listed {
                        resources.entry(resource).or_insert_with(|| folder_of(file.name()));
                    }
                }
                skipped.files.insert(file.id());
                skipped.kustomizations.insert(file.name().to_owned(), place);
            }
        }
        let is_part = |name: &str| parts.contains(name);
        let of_parts = found.iter().filter(|file| is_part(file.name()));
        skipped.files.extend(of_parts.map(|file| file.id()));
        let of_patches = found.iter().filter(|file| patches.contains(file.name()));
        skipped.patches.extend(of_patches.map(|file| file.id()));
        let folder = |name: &str| resources.get(name).map(|it| (*it).to_owned());
        // Other files next to a kustomization may be resources that it does not list at the moment.
        let folders: SortedSet<_> = skipped.kustomizations.keys().map(|it| folder_of(it)).collect();
        skipped.kustomized = Outermost::of(folders.iter().copied());
        let beside = |name: &str| folders.get(folder_of(name)).map(|it| (*it).to_owned());
        let of = |name: &str| folder(name).or_else(|| beside(name));
        let listed = found.iter().filter_map(|it| Some((it.id(), of(it.name())?)));
        let listed: Vec<_> = listed.collect();
        skipped.resources.extend(listed);
        skipped
    }

    /// Whether a found file is a patch, because a kustomization lists it or by its path.
    pub(crate) fn is_patch(&self, workspace: &Workspace, file: FileId) -> bool {
        let source = workspace.file(file);
        let is_in_kustomization = self.kustomized.around(source.name()).is_some();
        self.patches.contains(&file)
            || source.role() == FileRole::Found
                && !self.contains(file)
                && manifest::is_patch(source.name(), is_in_kustomization)
    }

    /// Skips a found file because of its path, if it is a patch that no kustomization lists, or a
    /// file of a dependency. Returns whether it is skipped.
    pub(crate) fn skips_by_path(&mut self, workspace: &Workspace, file: FileId) -> bool {
        let name = workspace.file(file).name();
        let why = if manifest::is_vendored(name) {
            Why::Vendored
        } else if manifest::is_patch(name, self.kustomized.around(name).is_some()) {
            Why::Patch
        } else {
            return false;
        };
        self.add(workspace, file, why);
        true
    }

    /// Skips a single file.
    pub(crate) fn add(&mut self, workspace: &Workspace, file: FileId, why: Why) {
        self.files.insert(file);
        let name = workspace.file(file).name().to_owned();
        self.single.entry(why).or_default().push((name, Span::new(file, 0, 0)));
    }

    /// Reads a kustomization as input.
    pub(crate) fn read_kustomization(&mut self, workspace: &Workspace, file: FileId) {
        self.files.remove(&file);
        self.kustomizations.remove(workspace.file(file).name());
    }

    /// Skips a file without a note, because another finding is about it.
    pub(crate) fn omit(&mut self, file: FileId) {
        self.files.insert(file);
    }

    /// The resources of kustomizations, each with the folder of one that lists it.
    pub(crate) fn take_resources(&mut self) -> SortedMap<FileId, String> {
        std::mem::take(&mut self.resources)
    }

    /// Whether a file is skipped.
    pub(crate) fn contains(&self, file: FileId) -> bool {
        self.files.contains(&file)
    }

    /// The number of compiled files: neither skipped nor only read for context.
    pub(crate) fn compiled_files(&self, workspace: &Workspace) -> usize {
        let role = |file: FileId| workspace.file(file).role();
        let is_compiled = |file| {
            let role = role(file);
            !matches!(
                role,
                FileRole::Context | FileRole::External | FileRole::OtherProject | FileRole::Values
            )
        };
        workspace.ids().filter(|it| !self.contains(*it) && is_compiled(*it)).count()
    }

    /// Notes a kustomization that was found by its kind.
    pub(crate) fn add_kustomization(&mut self, workspace: &Workspace, document: Span) {
        let name = workspace.file_at(document).name().to_owned();
        self.kustomizations.entry(name).or_insert(document);
    }

    /// Reports what was skipped of the input: one note for each reason.
    pub(crate) fn report(self, workspace: &Workspace, sink: &mut Sink) {
        let Self { mut charts, mut kustomizations, mut single, .. } = self;
        let is_input = |place: Span| workspace.role_at(place) != FileRole::Context;
        charts.retain(|_, place| is_input(*place));
        kustomizations.retain(|_, place| is_input(*place));
        for files in single.values_mut() {
            files.retain(|(_, place)| is_input(*place));
        }
        let mut files = |why| single.remove(&why).unwrap_or_default();
        let (charts, kustomizations): (Vec<_>, Vec<_>) =
            (charts.into_iter().collect(), kustomizations.into_iter().collect());
        let named =
            |folder: &str| if folder.is_empty() { ".".to_owned() } else { folder.to_owned() };
        let chart = named(charts.first().map_or("", |(folder, _)| folder));
        let kustomization = named(kustomizations.first().map_or("", |(file, _)| folder_of(file)));
        let reasons = [
            Reason {
                rule: &HELM_CHART_SKIPPED,
                files: charts,
                noun: ("Helm chart", "Helm charts"),
                why: ("its templates are not rendered", "their templates are not rendered"),
                help: Some(message!("render it: `sandboxc check --render {chart}`")),
            },
            Reason {
                rule: &KUSTOMIZATION_SKIPPED,
                files: kustomizations,
                noun: ("kustomization", "kustomizations"),
                why: ("its patches are not whole objects", "their patches are not whole objects"),
                help: Some(message!("build it: `sandboxc check --render {kustomization}`")),
            },
            Reason {
                rule: &PATCH_SKIPPED,
                files: files(Why::Patch),
                noun: ("file with a patch", "files with a patch"),
                why: ("it is not a whole object", "they are not whole objects"),
                help: Some("name a file to check it alone".into()),
            },
            Reason {
                rule: &TEMPLATE_SKIPPED,
                files: files(Why::Template),
                noun: ("template", "templates"),
                why: ("it is not rendered", "they are not rendered"),
                help: Some("check the output of the program that renders it".into()),
            },
            Reason {
                rule: &VENDORED_SKIPPED,
                files: files(Why::Vendored),
                noun: ("file", "files"),
                why: ("copied from a dependency", "copied from dependencies"),
                help: None,
            },
            Reason {
                rule: &FILE_NOT_A_MANIFEST,
                files: files(Why::Other),
                noun: ("file", "files"),
                why: ("no `apiVersion` and no `kind`", "no `apiVersion` and no `kind`"),
                help: None,
            },
            Reason {
                rule: &FILE_NOT_A_MANIFEST,
                files: files(Why::Configuration),
                noun: ("configuration file", "configuration files"),
                why: ("no API server has its kind", "no API server has their kinds"),
                help: None,
            },
        ];
        reasons.into_iter().filter_map(Reason::into_note).for_each(|it| sink.report(it));
    }
}

/// The names of the files of charts and kustomizations that differ between two sets of files with the same names, in
/// which neither is rendered.
#[must_use]
pub fn unrendered_changes(old: &Workspace, new: &Workspace) -> Vec<String> {
    let [mut before, mut after] = [old, new].map(|workspace| {
        let skipped = Skipped::find(workspace);
        let is_part = |file: &FileId| skipped.contains(*file) || skipped.patches.contains(file);
        let parts = workspace.ids().filter(is_part).map(|file| workspace.file(file));
        let parts = parts.filter(|file| file.role() == FileRole::Found);
        parts.map(|file| (file.name(), file.text())).collect::<SortedMap<_, _>>()
    });
    before.retain(|name, text| {
        let is_same = after.get(name) == Some(text);
        if is_same {
            after.remove(name);
        }
        !is_same
    });
    let names: SortedSet<_> = before.into_keys().chain(after.into_keys()).collect();
    names.into_iter().map(ToOwned::to_owned).collect()
}

/// The note about files with the output of earlier builds, each with its name and span.
pub(crate) fn build_output(files: Vec<(String, Span)>) -> Option<Diagnostic> {
    let why = ("the output of an earlier `build`", "the output of earlier builds");
    let help = "write the output to a directory with `build -o`, or outside the project".into();
    Reason { rule: &BUILD_OUTPUT_SKIPPED, files, noun: ("file", "files"), why, help: Some(help) }
        .into_note()
}

/// Files that are skipped for one reason.
struct Reason {
    rule: &'static Rule,
    /// The names of the files or folders, each with the span to show.
    files: Vec<(String, Span)>,
    /// What one of them is, and several.
    noun: (&'static str, &'static str),
    /// The reason, for one file and for several.
    why: (&'static str, &'static str),
    help: Option<Message>,
}

impl Reason {
    fn into_note(self) -> Option<Diagnostic> {
        let Self { rule, files, noun, why, help } = self;
        let (_, place) = files.first()?;
        let message = match files.len() {
            1 => message!("skipped 1 {}: {}", Words(noun.0), Words(why.0)),
            count => message!("skipped {count} {}: {}", Words(noun.1), Words(why.1)),
        };
        Some(Diagnostic::new(rule, *place, message).help_if(help).note_if(list(&files)))
    }
}

/// The names of several files; the source excerpt shows the name of a single one.
fn list(all: &[(String, Span)]) -> Option<Message> {
    let names = all.iter().map(|(name, _)| message!("`{name}`"));
    (all.len() > 1).then(|| first_of(MAX_NAMED, ", ", names))
}
