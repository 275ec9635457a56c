//! Workspaces: addresses, remotes, files.

use super::{
    GIT_NAME_INVALID, REPOSITORY_ADDRESS_INVALID, WORKSPACE_FILE_IN_GIT,
    WORKSPACE_FILE_PATH_INVALID, WORKSPACE_REF_AMBIGUOUS, WORKSPACE_REMOTE_INVALID, earlier,
};
use crate::decode::Text;
use crate::diag::{Diagnostic, Message, Sink, message};
use crate::dialect::kelos::git_name::git_name_fault;
use crate::dialect::kelos::names::ORIGIN_REMOTE;
use crate::dialect::kelos::text::repository_path;
use crate::dialect::kelos::workspace::{Remote, WorkspaceFile, WorkspaceSpec};
use crate::sorted::SortedMap;

/// The valid prefixes of a repository address.
const SCHEMES: [&str; 4] = ["https://", "http://", "git://", "git@"];

/// Checks a single Workspace.
pub(in crate::dialect::kelos) fn check(spec: &WorkspaceSpec, sink: &mut Sink) {
    check_address(&spec.repo, sink);
    if let Some(reference) = &spec.reference {
        report_sha256_commit(reference, sink);
        check_git_name("ref", reference, "git-clone", sink);
    }
    check_remotes(spec.remotes.iter().flat_map(|it| &it.items), sink);
    for file in spec.files.iter().flat_map(|it| &it.items) {
        check_file(file, sink);
    }
}

fn check_address(address: &Text, sink: &mut Sink) {
    let text = address.as_str();
    if SCHEMES.iter().any(|scheme| text.starts_with(scheme)) {
        return;
    }
    sink.report(
        Diagnostic::new(
            &REPOSITORY_ADDRESS_INVALID,
            address.span(),
            message!("invalid repository address `{text}`: unknown scheme"),
        )
        .at("unknown scheme")
        .note("kelos accepts addresses that start with `https://`, `http://`, `git://` or `git@`")
        .help("write `https://HOST/OWNER/REPO.git` or `git@HOST:OWNER/REPO.git`"),
    );
}

/// Reports a branch or tag that cannot exist. `container` is the init container that uses it.
pub(super) fn check_git_name(field: &str, name: &Text, container: &str, sink: &mut Sink) {
    let text = name.as_str();
    // A template can only be checked after it has been rendered.
    if text.is_empty() || text.contains("{{") {
        return;
    }
    let Some(fault) = git_name_fault(text) else { return };
    sink.report(
        Diagnostic::new(
            &GIT_NAME_INVALID,
            name.span(),
            message!("invalid `{field}` `{text}`: the name {fault}"),
        )
        .at("not a name in git")
        .note(message!("git rejects the name, so init container `{container}` fails"))
        .help("use letters, digits, `-`, `_`, `.` and `/`"),
    );
}

fn report_sha256_commit(reference: &Text, sink: &mut Sink) {
    let text = reference.as_str();
    if text.len() != 64 || !text.bytes().all(|it| it.is_ascii_hexdigit()) {
        return;
    }
    sink.report(
        Diagnostic::new(
            &WORKSPACE_REF_AMBIGUOUS,
            reference.span(),
            "`ref` looks like a SHA-256 commit, but is read as a branch",
        )
        .at("64 hexadecimal digits")
        .note("kelos only reads 40 hexadecimal digits as a commit")
        .help("name a branch or a tag"),
    );
}

fn check_remotes<'r>(remotes: impl Iterator<Item = &'r Remote>, sink: &mut Sink) {
    let mut seen = SortedMap::new();
    for Remote { name, url } in remotes {
        check_address(url, sink);
        let (text, place) = (name.as_str(), name.span());
        let finding = |message: Message| Diagnostic::new(&WORKSPACE_REMOTE_INVALID, place, message);
        if text.is_empty() {
            sink.report(finding("empty remote name".into()).at("must not be empty"));
        } else if text == ORIGIN_REMOTE {
            sink.report(
                finding("remote name `origin` is reserved for `repo`".into())
                    .at("reserved")
                    .help("rename the remote"),
            );
        } else if text.starts_with('-') {
            sink.report(
                finding(message!("remote name `{text}` starts with `-`"))
                    .at("read as an option")
                    .note("git reads the name as an option, so the init container fails")
                    .help("rename the remote"),
            );
        } else if let Some(first) = earlier(&mut seen, text, place) {
            sink.report(
                finding(message!("duplicate remote name `{text}`"))
                    .at("defined again here")
                    .label(first, "first defined here")
                    .note("the clone has the last address, `KELOS_UPSTREAM_REPO` the first")
                    .help("rename or remove one of the remotes"),
            );
        }
    }
}

fn check_file(file: &WorkspaceFile, sink: &mut Sink) {
    let (text, place) = (file.path.as_str(), file.path.span());
    match repository_path(text) {
        Err(cause) => sink.report(
            Diagnostic::new(
                &WORKSPACE_FILE_PATH_INVALID,
                place,
                message!("invalid workspace file path `{text}`: {cause}"),
            )
            .at("not a path in the repository")
            .help("write a path relative to the root of the repository, with forward slashes"),
        ),
        Ok(path) if path == ".git" || path.starts_with(".git/") => sink.report(
            Diagnostic::new(
                &WORKSPACE_FILE_IN_GIT,
                place,
                message!("workspace file `{path}` is in the `.git` directory"),
            )
            .at("in `.git`")
            .note("the file can replace the configuration of the clone, the credential helper included")
            .help("set up git with `setupCommand`"),
        ),
        Ok(_) => {}
    }
}
