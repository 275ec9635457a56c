//! Nothing outside is read: links, and paths that the input names, lead nowhere but into the repository.

use std::fs;
use std::os::unix::fs::symlink;

use super::{Folder, OBJECT};

/// A word that only files outside of the repository contain.
const SECRET: &str = "s3cr3t-w0rd";

/// A repository `repo` with files, next to which is a file with a secret.
fn repository(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(files);
    fs::create_dir_all(folder.path().join("repo/.git")).unwrap();
    let secret = OBJECT.replace("name: web", &format!("name: web\n  annotation: {SECRET}"));
    assert!(secret.contains(SECRET));
    folder.write("outside/secret.yaml", &secret);
    folder
}

#[test]
fn a_link_that_was_found_does_not_lead_out() {
    let folder = repository(&[("repo/a.yaml", OBJECT)]);
    let repo = folder.path().join("repo");
    symlink("../outside/secret.yaml", repo.join("relative.yaml")).unwrap();
    symlink("/proc/self/environ", repo.join("environ.yaml")).unwrap();
    symlink("a.yaml", repo.join("inside.yaml")).unwrap();
    for arguments in [&["check", "repo"][..], &["check", "repo/*.yaml"], &["build", "repo"]] {
        let run = folder.run(arguments);
        assert_eq!(run.status, 1, "{}", run.stderr);
        for name in ["relative", "environ"] {
            let expected = format!(
                "error[file-unreadable]: cannot read `repo/{name}.yaml`: it leads out of the repository"
            );
            assert!(run.stderr.contains(&expected), "{}", run.stderr);
        }
        assert!(!run.stderr.contains("inside.yaml"), "{}", run.stderr);
        assert!(!(run.stdout + &run.stderr).contains(SECRET));
    }
}
