//! Numbers or percentages of the Pods of a workload, such as `maxUnavailable`.
//!
//! Follows `ValidatePositiveIntOrPercent` and `IsNotMoreThan100Percent` of Kubernetes'
//! `pkg/apis/apps/validation`.

use super::judge::{Judge, shown};
use crate::diag::{Message, declare_rules, message};
use crate::tree::Node;

declare_rules! {
    SHARE_INVALID = "share-invalid", Error;
}

/// A number of Pods, or a percentage of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Share {
    /// A number of Pods.
    Number(i64),
    /// A percentage; very large ones count as the largest number.
    Percent(i64),
}

impl Share {
    /// Whether the value means no Pods for any number of replicas.
    pub(super) const fn is_zero(self) -> bool {
        matches!(self, Self::Number(0) | Self::Percent(0))
    }

    fn read(node: &Node) -> Option<Self> {
        if let Some(number) = node.as_i64() {
            return Some(Self::Number(number));
        }
        let digits = node.as_str()?.strip_suffix('%')?;
        let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        is_number.then(|| Self::Percent(digits.parse().unwrap_or(i64::MAX)))
    }
}

/// Reads a number or percentage; `None` if it is absent or was reported. `is_part` limits it to
/// 100%.
pub(super) fn check_share(
    judge: &mut Judge<'_>,
    owner: &Node,
    field: &'static str,
    is_part: bool,
) -> Option<Share> {
    let node = owner.get(field)?;
    let share = Share::read(node);
    let (message, label, help) = match share {
        Some(Share::Number(number)) if number < 0 => (
            message!("`{field}` {number} is negative"),
            "must be at least 0",
            "write 0 or more".into(),
        ),
        Some(Share::Percent(percent)) if is_part && percent > 100 => {
            let message = message!("`{field}` is above 100%");
            (message, "above 100%", "write at most `100%`".into())
        }
        Some(share) => return Some(share),
        None => {
            let text = node.as_str()?;
            let message = message!("invalid value `{}` for `{field}`", shown(text));
            (message, "neither a number nor a percentage", nearest_share(text))
        }
    };
    judge.fault(&SHARE_INVALID, (node.span(), (owner, field)), (message, label, help));
    None
}

/// Suggests a repair.
fn nearest_share(text: &str) -> Message {
    let digits = text.trim().trim_end_matches('%').trim();
    if !digits.is_empty() && digits.len() < 4 && digits.bytes().all(|it| it.is_ascii_digit()) {
        return if text.contains('%') {
            message!("write `{digits}%`")
        } else {
            message!("write `{digits}` without quotes for a number of Pods, or `{digits}%`")
        };
    }
    "write a whole number, or a percentage like `25%`".into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Span, Workspace};
    use crate::tree::Origin;

    #[test]
    fn a_percentage_is_digits_and_a_sign() {
        let origin = Origin::source(Span::new(Workspace::new().add("x.yaml", ""), 0, 0));
        let read = |text: &str| Share::read(&Node::string(text, origin));
        assert_eq!(read("25%"), Some(Share::Percent(25)));
        assert_eq!(read("0%"), Some(Share::Percent(0)));
        assert_eq!(read("99999999999999999999%"), Some(Share::Percent(i64::MAX)));
        for text in ["", "%", "25", "2.5%", "-1%", "+1%", "25 %", "25%%"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(Share::read(&Node::int(-3, origin)), Some(Share::Number(-3)));
    }
}
