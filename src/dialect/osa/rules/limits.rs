//! The limits of a container, in the archive's units, and its confinement.

use crate::decode::{Choice, Integer, Quantity, Text};
use crate::diag::{Diagnostic, Message, Reported, Sink, declare_rules, message};
use crate::dialect::osa::job::Limits;
use crate::dialect::osa::memory::{Memory, MemoryFault};
use crate::pod_security::Profile;
use crate::scalar;
use crate::tree::{Node, Number};

declare_rules! {
    OSA_LIMIT_DUPLICATE = "osa-limit-duplicate", Error;
    OSA_LIMIT_INVALID = "osa-limit-invalid", Error;
    OSA_SECURITY_WEAKENED = "osa-security-weakened", Error;
}

/// Checks that each limit is set once.
///
/// # Errors
/// If one is set in `limits` and in `resources.limits`.
pub(in crate::dialect::osa) fn check_separate(
    own: Option<&Limits>,
    resources: Option<&Node>,
    sink: &mut Sink,
) -> Result<(), Reported> {
    let memory = own.and_then(|limits| limits.memory.as_ref()).map(Text::span);
    let cpu = own.and_then(|limits| limits.cpu.as_ref()).map(|cpu| cpu.node().span());
    let mut outcome = Ok(());
    for (name, span) in [("memory", memory), ("cpu", cpu)] {
        let other = resources.and_then(|it| it.at(&["limits", name]));
        if let (Some(span), Some(other)) = (span, other) {
            let message =
                message!("`limits.{name}` and `resources.limits.{name}` set the same limit");
            outcome = Err(sink.error(
                Diagnostic::new(&OSA_LIMIT_DUPLICATE, span, message)
                    .at("in the archive's units")
                    .label(other.span(), "in Kubernetes' units")
                    .help("remove one of them"),
            ));
        }
    }
    outcome
}

/// Checks the maximum running time of a container, in seconds.
///
/// # Errors
/// If they are not positive.
pub(in crate::dialect::osa) fn check_timeout(
    seconds: &Integer,
    sink: &mut Sink,
) -> Result<i64, Reported> {
    let number = seconds.as_i64();
    if number > 0 {
        return Ok(number);
    }
    let message = message!("`timeoutSeconds` {number} is not positive");
    Err(sink.error(
        Diagnostic::new(&OSA_LIMIT_INVALID, seconds.span(), message)
            .at("must be at least 1")
            .note("the Job's deadline is 120 seconds, for scheduling, and the timeout"),
    ))
}

/// Converts memory to a Kubernetes quantity.
///
/// # Errors
/// If the limit is invalid, or differs from the one that the server would set.
pub(in crate::dialect::osa) fn check_memory(
    amount: &Text,
    sink: &mut Sink,
) -> Result<String, Reported> {
    let text = amount.as_str();
    let fault = match Memory::parse(text) {
        Ok(memory) => return Ok(memory.quantity),
        Err(fault) => fault,
    };
    let shown = text.escape_debug();
    let span = amount.span();
    let finding = |message: Message| Diagnostic::new(&OSA_LIMIT_INVALID, span, message);
    Err(sink.error(match fault {
        MemoryFault::Invalid => finding(message!("invalid memory limit `{shown}`"))
            .at("not an amount of memory")
            .note(message!("the server rejects it: \"Invalid memory format: {shown}\""))
            .help(match probable_meaning(text) {
                Some(meant) => message!("use `{meant}`"),
                None => "write a number and `k`, `m` or `g`, such as `512m`".into(),
            }),
        MemoryFault::UnitMissing => {
            finding(message!("memory limit `{shown}` has no unit before `i`"))
                .at("read as bytes")
                .help("write `Mi` or `Gi`")
        }
        MemoryFault::Fraction(rounded) => finding(message!(
            "memory limit `{shown}` is not a whole number of the next smaller unit"
        ))
        .at("the server rounds it down")
        .help(message!("use `{rounded}`")),
        MemoryFault::TooSmall => finding(message!("memory limit `{shown}` is less than 4 MiB"))
            .at("too small for any container")
            .help("write an amount such as `512m`, which means mebibytes"),
        MemoryFault::TooLarge => finding(message!("memory limit `{shown}` exceeds 8 EiB"))
            .at("too large")
            .help("write an amount such as `2g`"),
    }))
}

/// The probable meaning of an unknown unit.
fn probable_meaning(text: &str) -> Option<String> {
    let lower = text.trim().to_ascii_lowercase();
    let unit = lower.trim_start_matches(|it: char| it.is_ascii_digit());
    let number = lower.strip_suffix(unit)?;
    let meant = match unit.trim() {
        "b" | "bytes" => number.to_owned(),
        "kb" | "kib" => format!("{number}k"),
        "mb" | "mib" | "m" => format!("{number}m"),
        "gb" | "gib" | "g" => format!("{number}g"),
        "t" | "tb" | "ti" | "tib" => format!("{}g", number.parse::<u64>().ok()?.checked_mul(1024)?),
        _ => return None,
    };
    Memory::parse(&meant).is_ok().then_some(meant)
}

/// Converts CPU to canonical form.
///
/// # Errors
/// If it is not a positive quantity.
pub(in crate::dialect::osa) fn check_cpu(
    amount: &Quantity,
    sink: &mut Sink,
) -> Result<String, Reported> {
    let node = amount.node();
    let text = scalar_text(node);
    match scalar::Quantity::parse(&text) {
        Ok(amount) if amount.billionths() > 0 => Ok(amount.to_string()),
        _ => {
            let message = message!("CPU limit `{text}` is not positive");
            Err(sink.error(
                Diagnostic::new(&OSA_LIMIT_INVALID, node.span(), message)
                    .at("must be more than 0")
                    .help("write an amount such as `0.5` or `500m`"),
            ))
        }
    }
}

fn scalar_text(node: &Node) -> String {
    match node.as_number() {
        Some(Number::Int(number)) => number.to_string(),
        Some(Number::UInt(number)) => number.to_string(),
        Some(Number::Float(number)) => number.to_string(),
        None => node.as_str().unwrap_or("").to_owned(),
    }
}

/// Checks that untrusted containers keep the level `restricted`.
///
/// # Errors
/// If another level is set.
pub(in crate::dialect::osa) fn check_profile(
    security: Option<&Choice<Profile>>,
    sink: &mut Sink,
) -> Result<(), Reported> {
    let Some(security) = security.filter(|security| security.value != Profile::Restricted) else {
        return Ok(());
    };
    let message = message!("`security` cannot be `{}` for hooks and sources", security.value);
    Err(sink.error(
        Diagnostic::new(&OSA_SECURITY_WEAKENED, security.span(), message)
            .at("must be `restricted`")
            .note("the archive confines all hooks and sources, whose code it does not trust")
            .help("remove `security`"),
    ))
}
