//! The cases and recordings of systems as files, for programs that read files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;

use crate::oracles::{files, folders};
use crate::support::cases::cases;
use crate::support::root;

/// A folder with `oracles/<system>/<case>/` and `effective/<case>/`: the files of the case in `cases.md`, its
/// output as the file `output`, and `<name>.json`, which is the line of the case in `<name>.jsonl`.
pub(crate) fn unpacked() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fixtures");
        let fixtures = root().join("fixtures");
        let mut systems = folders(&fixtures.join("oracles"));
        systems.push(fixtures.join("effective"));
        let mut unpacked = BTreeMap::new();
        for system in systems {
            let to = folder.join(system.strip_prefix(&fixtures).unwrap());
            for file in files(&system) {
                add(&file, &to, &mut unpacked);
            }
        }
        write(&folder, &unpacked);
        folder
    });
    &FOLDER
}

fn add(file: &Path, to: &Path, unpacked: &mut BTreeMap<PathBuf, Vec<u8>>) {
    let name = file.file_name().unwrap().to_str().unwrap();
    let text = fs::read_to_string(file).unwrap();
    if name == "cases.md" {
        for case in cases(&text) {
            let output =
                case.output.map(|output| (format!("{}/output", case.name), output.into_bytes()));
            let files = case.files.into_iter().chain(output);
            unpacked.extend(files.map(|(path, bytes)| (to.join(path), bytes)));
        }
    } else if let Some(name) = name.strip_suffix(".jsonl") {
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let path = to.join(line["case"].as_str().unwrap()).join(format!("{name}.json"));
            unpacked.insert(path, line["recorded"].to_string().into_bytes());
        }
    } else {
        unpacked.insert(to.join(name), text.into_bytes());
    }
}

/// Writes the files that differ and removes all others, so that another run can read them at the same time.
fn write(folder: &Path, unpacked: &BTreeMap<PathBuf, Vec<u8>>) {
    for (path, bytes) in unpacked {
        if fs::read(path).is_ok_and(|it| it == *bytes) {
            continue;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    for entry in walkdir::WalkDir::new(folder).contents_first(true) {
        let path = entry.unwrap().into_path();
        if path.is_dir() {
            // Only succeeds if it is empty.
            let _ = fs::remove_dir(path);
        } else if !unpacked.contains_key(&path) {
            fs::remove_file(path).unwrap();
        }
    }
}
