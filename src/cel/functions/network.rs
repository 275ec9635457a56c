//! IP addresses and CIDR blocks (k8s.io/apiserver, `pkg/cel/library/ip.go` and `cidr.go`).

use core::net::IpAddr;

use super::Call;
use crate::cel::Stop;
use crate::cel::value::Value;
use crate::scalar::mask_address;

/// The value of a call about addresses; `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    let (first, rest) = call.values.split_first()?;
    match first {
        Value::String(text) => of_text(call.function, text),
        Value::Address(address) => of_address(call.function, *address).map(Ok),
        Value::Block(address, prefix) => of_block(call.function, *address, *prefix, rest),
        _ => None,
    }
}

fn of_text<'v>(function: &str, text: &str) -> Option<Result<Value<'v>, Stop>> {
    let unreadable = |what: &str| {
        Stop::error(format!("{what} \"{text}\" parse error during conversion from string"))
    };
    Some(match function {
        "isIP" => Ok(Value::Bool(read_address(text).is_some())),
        "ip" => read_address(text).map(Value::Address).ok_or_else(|| unreadable("IP Address")),
        "ip.isCanonical" => match read_address(text) {
            Some(address) => Ok(Value::Bool(address.to_string() == text)),
            None => Err(unreadable("IP Address")),
        },
        "isCIDR" => Ok(Value::Bool(read_block(text).is_some())),
        "cidr" => match read_block(text) {
            Some((address, prefix)) => Ok(Value::Block(address, prefix)),
            None => Err(unreadable("network address")),
        },
        _ => return None,
    })
}

/// Parses an address; zones and IPv4 addresses embedded in IPv6 are not accepted.
fn read_address(text: &str) -> Option<IpAddr> {
    let address: IpAddr = text.parse().ok()?;
    match address {
        IpAddr::V6(long) if long.to_ipv4_mapped().is_some() => None,
        address => Some(address),
    }
}

fn read_block(text: &str) -> Option<(IpAddr, u8)> {
    let (address, prefix) = text.split_once('/')?;
    let address = read_address(address)?;
    let is_number = prefix.bytes().all(|byte| byte.is_ascii_digit());
    let has_zeros = prefix.len() > 1 && prefix.starts_with('0');
    let prefix: u8 = prefix.parse().ok().filter(|_| is_number && !has_zeros)?;
    (prefix <= if address.is_ipv4() { 32 } else { 128 }).then_some((address, prefix))
}

fn of_address<'v>(function: &str, address: IpAddr) -> Option<Value<'v>> {
    Some(match function {
        "family" => Value::Int(if address.is_ipv4() { 4 } else { 6 }),
        "isUnspecified" => Value::Bool(address.is_unspecified()),
        "isLoopback" => Value::Bool(address.is_loopback()),
        "isLinkLocalMulticast" => Value::Bool(match address {
            IpAddr::V4(it) => it.octets().starts_with(&[224, 0, 0]),
            IpAddr::V6(it) => it.segments().first().is_some_and(|it| it & 0xff0f == 0xff02),
        }),
        "isLinkLocalUnicast" => Value::Bool(is_link_local(address)),
        "isGlobalUnicast" => Value::Bool(
            !address.is_unspecified()
                && !address.is_loopback()
                && !address.is_multicast()
                && !is_link_local(address)
                && !matches!(address, IpAddr::V4(it) if it.is_broadcast()),
        ),
        _ => return None,
    })
}

fn is_link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(it) => it.is_link_local(),
        IpAddr::V6(it) => it.is_unicast_link_local(),
    }
}

fn of_block<'v>(
    function: &str,
    address: IpAddr,
    prefix: u8,
    rest: &[Value<'v>],
) -> Option<Result<Value<'v>, Stop>> {
    let holds = |other: IpAddr, length: u8| {
        let is_inside = other.is_ipv4() == address.is_ipv4()
            && length >= prefix
            && mask_address(other, prefix) == mask_address(address, prefix);
        Ok(Value::Bool(is_inside))
    };
    let longest = if address.is_ipv4() { 32 } else { 128 };
    Some(match (function, rest) {
        ("ip", []) => Ok(Value::Address(address)),
        ("prefixLength", []) => Ok(Value::Int(i64::from(prefix))),
        ("masked", []) => Ok(Value::Block(mask_address(address, prefix), prefix)),
        ("containsIP", [Value::Address(other)]) => holds(*other, longest),
        ("containsIP", [Value::String(text)]) => match read_address(text) {
            Some(other) => holds(other, longest),
            None => Err(Stop::no_overload()),
        },
        ("containsCIDR", [Value::Block(other, length)]) => holds(*other, *length),
        ("containsCIDR", [Value::String(text)]) => match read_block(text) {
            Some((other, length)) => holds(other, length),
            None => Err(Stop::no_overload()),
        },
        _ => return None,
    })
}
