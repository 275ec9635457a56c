//! Jobs, and the Job template of a CronJob, after Kubernetes' `pkg/apis/batch/validation`.

mod cron;
mod failure_policy;
mod indexes;
mod selection;
mod success_policy;

use super::judge::{Absence, Judge, Place, text_of};
use super::template;
use crate::diag::{Message, Rule, declare_rules, message};
use crate::scalar::check_domain_path;
use crate::tree::Node;

declare_rules! {
    JOB_INDEXES_INVALID = "job-indexes-invalid", Error, follows = [Misplaced];
    JOB_HOST_NAME_INVALID = "job-host-name-invalid", Error;
    JOB_MANAGER_INVALID = "job-manager-invalid", Error;
    FAILURE_POLICY_INVALID = "failure-policy-invalid", Error;
    SUCCESS_POLICY_INVALID = "success-policy-invalid", Error;
    JOB_SELECTOR_OWN = "job-selector-own", Error;
    JOB_LABEL_RESERVED = "job-label-reserved", Error;
    SCHEDULE_INVALID = "schedule-invalid", Error;
    TIME_ZONE_UNKNOWN = "time-zone-unknown", Error;
}

/// The maximum length of a manager name, in bytes.
const LONGEST_MANAGER: usize = 63;

/// The `spec` of a Job.
struct Job<'o> {
    spec: &'o Node,
    /// Whether it is the template of a CronJob, in which the server sets no defaults.
    is_template: bool,
}

/// The completion mode of a Job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Each completed Pod counts.
    NonIndexed,
    /// Each index counts.
    Indexed,
    /// An invalid mode, which is reported elsewhere.
    Unknown,
}

impl<'o> Job<'o> {
    fn mode(&self) -> Mode {
        match self.spec.get("completionMode").map(Node::as_str) {
            None | Some(Some("NonIndexed")) => Mode::NonIndexed,
            Some(Some("Indexed")) => Mode::Indexed,
            Some(_) => Mode::Unknown,
        }
    }

    fn number(&self, field: &str) -> Option<i64> {
        self.spec.get(field)?.as_i64()
    }

    /// The number of completions, which defaults to one.
    fn completions(&self) -> Option<i64> {
        let is_filled_in = !self.is_template
            && self.spec.get("completions").is_none()
            && self.spec.get("parallelism").is_none();
        if is_filled_in { Some(1) } else { self.number("completions") }
    }

    fn has(&self, field: &str) -> bool {
        self.spec.get(field).is_some()
    }

    fn get(&self, field: &str) -> Option<&'o Node> {
        self.spec.get(field)
    }
}

/// Checks a Job.
pub(super) fn check(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    let job = Job { spec, is_template: false };
    check_spec(judge, &job);
    indexes::check_host_names(judge, &job);
    selection::check(judge, spec);
}

/// Checks a CronJob.
pub(super) fn check_cron_job(judge: &mut Judge<'_>) {
    let Some(spec) = judge.object.root.get("spec") else { return };
    cron::check(judge, spec);
    let Some(spec) = spec.at(&["jobTemplate", "spec"]) else { return };
    check_spec(judge, &Job { spec, is_template: true });
    selection::check_template(judge, spec);
}

fn check_spec(judge: &mut Judge<'_>, job: &Job<'_>) {
    let numbers = [
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
    ];
    for field in numbers {
        judge.ranged(job.spec, field, 0..=i64::MAX);
    }
    judge.needed(job.spec, "completionMode", Absence::BySchema);
    judge.needed(job.spec, "podReplacementPolicy", Absence::BySchema);
    check_manager(judge, job);
    indexes::check(judge, job);
    failure_policy::check(judge, job);
    success_policy::check(judge, job);
    template::check_ending(judge, job.has("podFailurePolicy"));
}

/// Reports the first item of a list that is longer than `most`.
fn refuse_excess<'n>(
    judge: &mut Judge<'_>,
    rule: &'static Rule,
    list: &[Node],
    most: usize,
    message: impl FnOnce(usize) -> Message,
    place: impl Into<Place<'n>>,
) {
    if let Some(excess) = list.get(most) {
        let text = (message(list.len()), "exceeds the limit", message!("keep at most {most}"));
        judge.fault(rule, (excess.span(), place), text);
    }
}

fn check_manager(judge: &mut Judge<'_>, job: &Job<'_>) {
    let field = "managedBy";
    if judge.needed(job.spec, field, Absence::BySchema).is_none() {
        return;
    }
    let Some(node) = job.get(field) else { return };
    let rule = (&JOB_MANAGER_INVALID, "manager name");
    let help = |_: &str| "write a domain and a name: `example.com/controller`".into();
    judge.form(node, rule, check_domain_path, help);
    let length = text_of(node).len();
    if length > LONGEST_MANAGER {
        let message = message!("the manager name is {length} bytes long, more than 63");
        let text = (message, "too long", "use at most 63 bytes");
        judge.fault(&JOB_MANAGER_INVALID, (node.span(), (job.spec, field)), text);
    }
}
