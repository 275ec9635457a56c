//! The documents of `fixtures/conformance` and their recorded verdicts.

use std::collections::BTreeMap;
use std::fs;

use sandboxc::KubernetesVersion;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::support::{inputs, root};

/// The line that separates and names the documents of a stream; `tools/oracle` splits at the same
/// lines.
const MARKER: &str = "--- # ";

const RECORD_CASES: &str = "run tools/oracle/record-cases.sh for";

/// The document with this name defines the custom kind of the others in its stream.
const DEFINITION: &str = "definition";

pub(crate) struct Document {
    /// `cases/<kind>/<topic>#<case>`, `warnings/<kind>#<case>` or `mutated/<kind>#<number>`.
    pub id: String,
    pub text: String,
    /// The definition of the custom kind of its stream, for the others there.
    pub definition: String,
}

/// A line of a recording; the rest of it is for readers.
#[derive(Clone, Deserialize)]
pub(super) struct Recorded {
    pub id: String,
    pub kind: String,
    pub stage: String,
    #[serde(default)]
    pub errors: Vec<Finding>,
    /// The reasons that Pod Security would reject its Pods, by level.
    #[serde(default)]
    pub baseline: Vec<String>,
    #[serde(default)]
    pub restricted: Vec<String>,
    /// The server's warnings about an accepted object.
    #[serde(default)]
    pub warnings: Vec<String>,
}

#[derive(Clone, Deserialize)]
struct RecordedCase<T> {
    id: String,
    objects: Vec<T>,
}

/// One error of the server.
#[derive(Clone, Deserialize)]
pub(super) struct Finding {
    /// The path of the field.
    #[serde(default)]
    pub field: String,
    #[serde(default)]
    pub detail: String,
}

impl Recorded {
    pub(super) fn is_accepted(&self) -> bool {
        self.stage == "accepted"
    }
}

/// All documents, by the paths of their streams.
pub(crate) fn documents() -> Vec<Document> {
    ["cases", "mutated"].into_iter().flat_map(of_folder).collect()
}

/// The documents for which the server sends warnings.
pub(super) fn warned_documents() -> Vec<Document> {
    of_folder("warnings")
}

/// The documents of the streams in a folder.
fn of_folder(folder: &str) -> Vec<Document> {
    let streams = inputs(&format!("conformance/{folder}")).into_iter();
    streams.flat_map(|(name, bytes)| read(&name, bytes)).collect()
}

/// A list of objects that are created one after the other, and what the server said of each.
pub(super) struct Case<T> {
    pub id: String,
    pub text: String,
    pub verdicts: Vec<T>,
}

/// The cases in a folder that a version serves, as recorded for each version.
pub(super) fn recorded_cases<T: Clone + DeserializeOwned>(
    folder: &str,
    is_served: impl Fn(&str, KubernetesVersion) -> bool,
) -> Vec<(KubernetesVersion, Vec<Case<T>>)> {
    let cases = of_folder(folder);
    let mut recordings = Vec::new();
    for (version, lines) in by_version(folder) {
        let version = KubernetesVersion::parse(&version).unwrap();
        let mut recorded: BTreeMap<String, Vec<T>> =
            lines.into_iter().map(|it: RecordedCase<T>| (it.id, it.objects)).collect();
        let served = cases.iter().filter(|it| is_served(&it.text, version));
        let judged = served.map(|it| Case {
            id: it.id.clone(),
            text: it.text.clone(),
            verdicts: recorded
                .remove(&it.id)
                .unwrap_or_else(|| panic!("{} is not recorded: {RECORD_CASES} {version}", it.id)),
        });
        recordings.push((version, judged.collect()));
        assert!(
            recorded.is_empty(),
            "{:?} are no cases: {RECORD_CASES} {version}",
            recorded.keys()
        );
    }
    assert!(!recordings.is_empty());
    recordings
}

fn read(file: &str, bytes: Vec<u8>) -> Vec<Document> {
    let name = file.trim_start_matches("conformance/").trim_end_matches(".yaml");
    let text = String::from_utf8(bytes).unwrap();
    let mut documents: Vec<Document> = Vec::new();
    let (mut stream, mut definition) = (name, String::new());
    for part in format!("\n{text}").split(&format!("\n{MARKER}")).skip(1) {
        let (head, text) = part.split_once('\n').unwrap_or((part, ""));
        let case = head.split_whitespace().next().unwrap();
        let text = expand(&format!("{text}\n"));
        // The documents of a file with several streams name theirs.
        let (of, case) = case.split_once('#').unwrap_or((name, case));
        if of != stream {
            (stream, definition) = (of, String::new());
        }
        let id = format!("{stream}#{case}");
        documents.push(Document { id, text: text.clone(), definition: definition.clone() });
        if case == DEFINITION {
            definition = text;
        }
    }
    documents
}

/// Expands the abbreviations of a stream: `«x*300»` is 300 times `x`.
fn expand(text: &str) -> String {
    let mut parts = text.split('«');
    let mut expanded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (repeated, rest) = part.split_once('»').unwrap();
        let (unit, count) = repeated.split_once('*').unwrap();
        expanded += &unit.repeat(count.parse().unwrap());
        expanded += rest;
    }
    expanded
}

/// The recorded verdicts by version and document.
pub(super) fn recordings() -> BTreeMap<String, BTreeMap<String, Recorded>> {
    recorded_in("verdicts")
}

/// The verdicts of a running API server that differ from the recording.
pub(super) fn live_differences() -> BTreeMap<String, BTreeMap<String, Recorded>> {
    recorded_in("live")
}

/// The same for the documents for which the server sends warnings.
pub(super) fn warned_recordings() -> BTreeMap<String, BTreeMap<String, Recorded>> {
    recorded_in("warnings")
}

fn recorded_in(name: &str) -> BTreeMap<String, BTreeMap<String, Recorded>> {
    let by_id = |recorded: Vec<Recorded>| {
        let count = recorded.len();
        let by_id: BTreeMap<_, _> = recorded.into_iter().map(|it| (it.id.clone(), it)).collect();
        assert_eq!(by_id.len(), count, "{name}: a document has two verdicts for one version");
        by_id
    };
    by_version(name).into_iter().map(|(version, it)| (version, by_id(it))).collect()
}

/// The versions that a line of a recording applies to; the first line lists all of them.
#[derive(Deserialize)]
struct Scope {
    versions: Option<Vec<String>>,
}

/// The lines of a recording for each version, as `tools/oracle/recording.py` writes them.
fn by_version<T: Clone + DeserializeOwned>(name: &str) -> BTreeMap<String, Vec<T>> {
    let path = format!("fixtures/conformance/recorded/{name}.jsonl");
    let text = fs::read_to_string(root().join(path)).unwrap();
    let mut lines = text.lines();
    let scope = |line: &str| serde_json::from_str::<Scope>(line).unwrap().versions;
    let all = lines.next().and_then(scope).expect("the versions in the first line");
    let mut recorded: BTreeMap<_, _> = all.iter().map(|it| (it.clone(), Vec::new())).collect();
    for line in lines {
        let verdict: T = serde_json::from_str(line).unwrap();
        for version in scope(line).as_ref().unwrap_or(&all) {
            recorded.get_mut(version).expect("a version of the first line").push(verdict.clone());
        }
    }
    recorded
}
