//! A failure at every step, and the resulting directory.

use std::collections::BTreeMap;

use super::*;
use crate::cli::guard::fail_at;

fn files(names: &[(&str, &str)]) -> Vec<File> {
    let file = |(name, content): &(&str, &str)| File {
        name: (*name).to_owned(),
        content: content.as_bytes().to_vec(),
    };
    names.iter().map(file).collect()
}

/// The files of a directory, without the manifest; a temporary one is a failure.
fn found(directory: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(!name.starts_with(TEMPORARY), "{name} was left behind");
        if name != manifest::FILE_NAME {
            found.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
    found
}

fn contents(files: &[File]) -> BTreeMap<String, String> {
    let content = |file: &File| String::from_utf8(file.content.clone()).unwrap();
    files.iter().map(|file| (file.name.clone(), content(file))).collect()
}

#[test]
fn after_a_failure_at_any_step_the_next_run_recovers() {
    let old = files(&[("a.yaml", "old a"), ("b.yaml", "b"), ("c.yaml", "old c")]);
    let new = files(&[("a.yaml", "new a"), ("b.yaml", "b"), ("d.yaml", "new d")]);
    let mut failures = 0;
    for step in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        replace(&target, &old, Edited::Keep).unwrap();
        fs::write(target.join("foreign.txt"), "mine").unwrap();
        fail_at(Some(step));
        let outcome = replace(&target, &new, Edited::Keep);
        fail_at(None);
        let mut there = found(&target);
        assert_eq!(there.remove("foreign.txt").as_deref(), Some("mine"), "step {step}");
        for (name, content) in &there {
            let known = [contents(&old), contents(&new)];
            assert!(known.iter().any(|it| it.get(name) == Some(content)), "step {step}: {name}");
        }
        if outcome.is_ok() {
            assert_eq!(there, contents(&new));
            break;
        }
        failures += 1;
        // No file is rejected as edited or foreign, and both updates still succeed.
        let next = if step % 2 == 0 { &new } else { &old };
        replace(&target, next, Edited::Keep).unwrap_or_else(|it| panic!("step {step}: {it}"));
        fs::remove_file(target.join("foreign.txt")).unwrap();
        assert_eq!(found(&target), contents(next), "step {step}");
    }
    assert!(failures > 12, "writes, syncs, renames and a removal: {failures}");
}

#[test]
fn a_new_directory_is_there_whole_or_not_at_all() {
    let new = files(&[("a.yaml", "a"), ("b.yaml", "b")]);
    for step in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        fail_at(Some(step));
        let outcome = replace(&target, &new, Edited::Keep);
        fail_at(None);
        if target.exists() {
            assert_eq!(found(&target), contents(&new), "step {step}");
        }
        assert!(fs::read_dir(folder.path()).unwrap().count() <= 1, "step {step}");
        if outcome.is_ok() {
            break;
        }
        replace(&target, &new, Edited::Keep).unwrap();
        assert_eq!(found(&target), contents(&new), "step {step}");
    }
}

#[test]
fn what_a_killed_run_left_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let left = folder.path().join(format!("{TEMPORARY}out-x"));
    let of_another = folder.path().join(format!("{TEMPORARY}other-x"));
    fs::create_dir(&left).unwrap();
    fs::create_dir(&of_another).unwrap();
    replace(&target, &files(&[("a.yaml", "a")]), Edited::Keep).unwrap();
    assert!(!left.exists() && of_another.exists());
    fs::write(target.join(format!("{TEMPORARY}y")), "half").unwrap();
    replace(&target, &files(&[("a.yaml", "b")]), Edited::Keep).unwrap();
    assert_eq!(found(&target), contents(&files(&[("a.yaml", "b")])));
}

#[cfg(unix)]
#[test]
fn one_run_at_a_time_writes_into_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    replace(&target, &files(&[("a.yaml", "a")]), Edited::Keep).unwrap();
    let other = Lock::take(&target).unwrap_or_else(|it| panic!("{it}"));
    let refused = replace(&target, &files(&[("a.yaml", "b")]), Edited::Keep).unwrap_err();
    assert!(refused.to_string().contains("another run is writing into"), "{refused}");
    drop(other);
    replace(&target, &files(&[("a.yaml", "b")]), Edited::Keep).unwrap();
}
