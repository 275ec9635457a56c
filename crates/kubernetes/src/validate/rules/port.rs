//! A port number or port name (`ValidatePortNumOrName`).

use super::judge::Judge;
use super::pod::{PORT_NAME_INVALID, PORT_OUT_OF_RANGE};
use crate::diag::message;
use crate::scalar::check_port_name;
use crate::tree::Node;

/// Reports a value that is neither a port number nor a port name.
pub(super) fn check_port(judge: &mut Judge<'_>, node: &Node, field: &str) {
    let Some(number) = node.as_i64() else {
        let help = |text: &str| match text.parse::<u16>() {
            Ok(number) => message!("remove the quotes: `{number}`"),
            Err(_) => "write a number, or the name of a container port".into(),
        };
        judge.form(node, (&PORT_NAME_INVALID, "port name"), check_port_name, help);
        return;
    };
    check_number(judge, node, number, field);
}

/// Reports a number outside the range of ports.
pub(super) fn check_number(judge: &mut Judge<'_>, node: &Node, number: i64, field: &str) {
    if (1..=65535).contains(&number) {
        return;
    }
    let message = message!("`{field}` {number} is outside 1-65535");
    let text = (message, "must be between 1 and 65535", "write a port number");
    judge.fault(&PORT_OUT_OF_RANGE, node, text);
}
