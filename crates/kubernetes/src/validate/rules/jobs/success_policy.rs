//! The success policy of an indexed Job.

use super::{Job, Mode, SUCCESS_POLICY_INVALID, refuse_excess};
use crate::diag::{Diagnostic, Message, message};
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, is_empty_list, items, shown, start};

const MAX_RULES: usize = 20;
/// The longest list of indexes, in bytes.
const LONGEST_INDEXES: usize = 64 * 1024;

pub(super) fn check(judge: &mut Judge<'_>, job: &Job<'_>) {
    let Some(entry) = job.spec.entry("successPolicy") else { return };
    let rule = &SUCCESS_POLICY_INVALID;
    if job.mode() == Mode::NonIndexed {
        let text = (
            "success policy requires an indexed Job",
            "write `completionMode: Indexed` and `completions`, or remove the policy",
        );
        return judge.refuse(rule, entry, text);
    }
    let rules = items(&entry.value, "rules");
    if let Some(node) = entry.value.get("rules").filter(|rules| is_empty_list(rules)) {
        let text =
            ("success policy has no rules", "requires a rule", "add a rule, or remove the policy");
        judge.fault(rule, (node.span(), (job.spec, "successPolicy.rules")), text);
    }
    let message = |count| message!("success policy has {count} rules, more than {MAX_RULES}");
    refuse_excess(judge, rule, rules, MAX_RULES, message, (job.spec, "successPolicy.rules"));
    for item in rules {
        check_rule(judge, job, item);
    }
}

fn check_rule(judge: &mut Judge<'_>, job: &Job<'_>, item: &Node) {
    let rule = &SUCCESS_POLICY_INVALID;
    let fields = ["succeededCount", "succeededIndexes"];
    let is_given = fields.iter().any(|field| item.get(field).is_some());
    if !is_given {
        let message = "success policy rule has neither `succeededCount` nor `succeededIndexes`";
        let finding = Diagnostic::new(rule, start(item), message)
            .at("requires one of the two")
            .help("add one of them, or both");
        judge.report(judge.missing(finding, item, &fields), item);
    }
    judge.ranged(item, "succeededCount", 0..=i64::MAX);
    // Missing completions are reported elsewhere.
    let Some(completions) = job.completions() else { return };
    let indexes = item.get("succeededIndexes");
    let listed = match indexes.map(|node| (node, node.as_str())) {
        Some((node, Some(text))) => {
            if text.len() > LONGEST_INDEXES {
                let message =
                    message!("list of indexes is {} bytes long, more than 65536", text.len());
                let text = (message, "too long", "shorten it to at most 65536 bytes");
                judge.fault(rule, (node.span(), (item, "succeededIndexes")), text);
            }
            match count_indexes(text, completions) {
                Ok(count) => Some(count),
                Err(fault) => {
                    let help = "write indexes and ranges in ascending order: `0,2-4`";
                    judge.fault(
                        rule,
                        (node.span(), (item, "succeededIndexes")),
                        (fault, "invalid list of indexes", help),
                    );
                    return;
                }
            }
        }
        Some((_, None)) => return,
        None => None,
    };
    check_count(judge, item, completions, listed);
}

fn check_count(judge: &mut Judge<'_>, item: &Node, completions: i64, listed: Option<i64>) {
    let Some(node) = item.get("succeededCount") else { return };
    let Some(count) = node.as_i64() else { return };
    let (of, most) = match listed {
        Some(listed) if listed < completions => ("listed indexes", listed),
        _ => ("completions", completions),
    };
    if count > most {
        let message = message!("`succeededCount` {count} is above {most} {of}");
        let help = message!("write at most {most}");
        judge.fault(&SUCCESS_POLICY_INVALID, node, (message, "too large", help));
    }
}

/// The number of indexes in a list such as `0,2-4`. They must be ascending and below `completions`.
fn count_indexes(text: &str, completions: i64) -> Result<i64, Message> {
    if text.is_empty() {
        return Ok(0);
    }
    let number = |text: &str| match text.parse::<i64>() {
        Ok(number) if number >= completions => {
            Err(message!("index {number} is out of range for {completions} completions"))
        }
        Ok(number) => Ok(number),
        Err(_) => Err(message!("`{}` is not an index", shown(text))),
    };
    let mut last: Option<i64> = None;
    let mut total = 0;
    for interval in text.split(',') {
        let (first, end) =
            interval.split_once('-').map_or((interval, None), |(first, end)| (first, Some(end)));
        let first = number(first)?;
        let end = match end {
            None => first,
            Some(end) if end.contains('-') => {
                return Err(message!("range `{}` has more than one `-`", shown(interval)));
            }
            Some(end) => {
                let end = number(end)?;
                if end <= first {
                    return Err(message!("range `{}` is not ascending", shown(interval)));
                }
                end
            }
        };
        if last.is_some_and(|last| last >= first) {
            return Err(message!("index {first} is not in ascending order"));
        }
        last = Some(end);
        total += end - first + 1;
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_stand_in_order_below_the_completions() {
        assert_eq!(count_indexes("", 5), Ok(0));
        assert_eq!(count_indexes("0,2-4", 5), Ok(4));
        assert_eq!(count_indexes("+1", 5), Ok(1));
        for text in ["5", "0-5", "2,1", "1,1", "3-1", "1-1", "1-2-3", "a", "0, 1", ",", "1,", "-1"]
        {
            assert!(count_indexes(text, 5).is_err(), "{text}");
        }
    }
}
