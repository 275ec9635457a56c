//! The numbers of an indexed Job.

use super::{JOB_HOST_NAME_INVALID, JOB_INDEXES_INVALID, Job, Mode};
use crate::diag::{Diagnostic, Message, message};
use crate::kube::sample_name;
use crate::scalar::check_dns_label;
use crate::tree::Node;
use crate::validate::rules::judge::Judge;

/// The maximum parallelism, and the maximum number of failed indexes.
const MOST: i64 = 100_000;
/// The same for a Job with more than [`MOST`] completions and a limit for each index.
const MAX_OF_LARGE: i64 = 10_000;

pub(super) fn check(judge: &mut Judge<'_>, job: &Job<'_>) {
    if job.has("maxFailedIndexes") && !job.has("backoffLimitPerIndex") {
        let text = (
            "`maxFailedIndexes` requires `backoffLimitPerIndex`".into(),
            "needs `backoffLimitPerIndex`",
            "add `backoffLimitPerIndex`, the number of retries per index".into(),
        );
        report(judge, job, "maxFailedIndexes", text);
    }
    match job.mode() {
        Mode::Indexed => check_indexed(judge, job),
        Mode::NonIndexed => {
            let fields = ["backoffLimitPerIndex", "maxFailedIndexes"];
            for field in fields.into_iter().filter(|field| job.has(field)) {
                let message = message!("`{field}` requires an indexed Job");
                let help = "write `completionMode: Indexed`, or remove the field";
                report(judge, job, field, (message, "only for indexed Jobs", help.into()));
            }
        }
        Mode::Unknown => {}
    }
}

fn check_indexed(judge: &mut Judge<'_>, job: &Job<'_>) {
    let Some(completions) = job.completions() else {
        if !job.has("completions") {
            let text = (
                "indexed Job has no `completions`".into(),
                "needs `completions`",
                "add `completions`, the number of indexes".into(),
            );
            report(judge, job, "completionMode", text);
        }
        return;
    };
    let is_large = completions > MOST && job.has("backoffLimitPerIndex");
    if is_large && !job.has("maxFailedIndexes") {
        let text = (
            "more than 100000 completions require `maxFailedIndexes`".into(),
            "needs `maxFailedIndexes`",
            "add `maxFailedIndexes`, at most 10000".into(),
        );
        report(judge, job, "completions", text);
    }
    let most = if is_large { MAX_OF_LARGE } else { MOST };
    for field in ["parallelism", "maxFailedIndexes"] {
        let Some(number) = job.number(field) else { continue };
        if field == "maxFailedIndexes" && number > completions {
            let message = message!("`{field}` {number} is above `completions` {completions}");
            let help = message!("write at most {completions}");
            report(judge, job, field, (message, "too large", help));
        } else if number > most {
            let message = message!("`{field}` {number} is too large for an indexed Job");
            let help = message!("write at most {most}");
            report(judge, job, field, (message, "too large", help));
        }
    }
}

fn report(
    judge: &mut Judge<'_>,
    job: &Job<'_>,
    field: &str,
    text: (Message, &'static str, Message),
) {
    if let Some(entry) = job.spec.entry(field) {
        judge.fault(&JOB_INDEXES_INVALID, entry, text);
    }
}

/// Checks the host name of an indexed Pod, `<job>-<index>`.
pub(super) fn check_host_names(judge: &mut Judge<'_>, job: &Job<'_>) {
    let Some(completions) = job.completions() else { return };
    if job.mode() != Mode::Indexed || completions < 1 {
        return;
    }
    let metadata = judge.object.root.get("metadata");
    let text = |field: &str| {
        let node = metadata?.get(field)?;
        Some((node, node.as_str().filter(|it| !it.is_empty())?))
    };
    let (name, field, node): (String, _, &Node) = match (text("name"), text("generateName")) {
        (Some((node, name)), _) => (name.to_owned(), "name", node),
        (None, Some((node, prefix))) => (sample_name(prefix), "generateName", node),
        (None, None) => return,
    };
    let host = format!("{name}-{}", completions - 1);
    let Err(fault) = check_dns_label(&host) else { return };
    let message = message!("host name `{host}` of the last Pod {fault}");
    let finding = Diagnostic::new(&JOB_HOST_NAME_INVALID, node.span(), message)
        .at(message!("becomes a host name ending in `-{}`", completions - 1))
        .help("shorten the name, and do not use `.`");
    let finding = match field {
        "generateName" => finding.note("the API server adds five characters to `generateName`"),
        _ => finding,
    };
    judge.report(finding, node);
}
