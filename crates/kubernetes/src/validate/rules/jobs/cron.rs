//! The schedule of a CronJob.

use super::{SCHEDULE_INVALID, TIME_ZONE_UNKNOWN};
use crate::diag::{Diagnostic, message, nearest};
use crate::scalar::{SCHEDULE_NAMES, ScheduleFault, check_schedule, is_time_zone, time_zones};
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, Judge, shown};

pub(super) fn check(judge: &mut Judge<'_>, spec: &Node) {
    check_schedule_field(judge, spec);
    check_time_zone(judge, spec);
    for field in ["startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"]
    {
        judge.ranged(spec, field, 0..=i64::MAX);
    }
}

fn check_schedule_field(judge: &mut Judge<'_>, spec: &Node) {
    let Some(text) = judge.needed(spec, "schedule", Absence::BySchema) else { return };
    let (Err(fault), Some(node)) = (check_schedule(text), spec.get("schedule")) else { return };
    let message = message!("schedule `{}` {fault}", shown(text));
    let finding = Diagnostic::new(&SCHEDULE_INVALID, node.span(), message);
    let form = "write minute, hour, day of month, month and day of week: `30 4 * * 1`";
    let finding = match fault {
        ScheduleFault::Zone => finding
            .at("a time zone is not allowed here")
            .help("set `timeZone`, and keep only the five fields here"),
        ScheduleFault::Fields(_) => finding.at("not five fields").help(form),
        ScheduleFault::Name => {
            let finding = finding.at("unknown schedule name");
            match nearest(text, SCHEDULE_NAMES.iter().copied()) {
                Some(near) => finding.suggest(
                    node.span(),
                    format!("\"{near}\""),
                    message!("did you mean `{near}`?"),
                ),
                None => finding.help(form),
            }
        }
        ScheduleFault::Interval(_) => {
            finding.at("not a duration").help("write hours, minutes and seconds: `@every 1h30m`")
        }
        ScheduleFault::Item { field: "day of the week", item: "7", .. } => {
            finding.at("not a day of the week").help("write `0` or `sun` for Sunday")
        }
        ScheduleFault::Item { .. } => finding.at("invalid schedule").help(
            "write a number, a range `1-5`, a list `1,3`, `*`, or one of these with a step `*/15`",
        ),
    };
    judge.report(finding, (spec, "schedule"));
}

fn check_time_zone(judge: &mut Judge<'_>, spec: &Node) {
    let Some(name) = judge.needed(spec, "timeZone", Absence::BySchema) else { return };
    let Some(node) = spec.get("timeZone").filter(|_| !is_time_zone(name)) else { return };
    let message = message!("unknown time zone `{}`", shown(name));
    let finding =
        Diagnostic::new(&TIME_ZONE_UNKNOWN, node.span(), message).at("not in the IANA database");
    let is_written_otherwise = |known: &&str| known.eq_ignore_ascii_case(name);
    let near = time_zones()
        .find(is_written_otherwise)
        .or_else(|| nearest(name, time_zones()).filter(|_| name.len() < 64));
    let finding = match near {
        Some(near) => finding.suggest(node.span(), near, message!("did you mean `{near}`?")),
        None if name.starts_with(['U', 'G', '+', '-']) && name.contains(['+', '-']) => finding
            .help("write a name such as `Europe/Berlin`; the offset UTC+1 is named `Etc/GMT-1`"),
        None => finding.help("write a name such as `Europe/Berlin` or `Etc/UTC`"),
    };
    judge.report(finding, (spec, "timeZone"));
}
