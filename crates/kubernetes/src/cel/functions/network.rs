//! IP addresses and CIDR blocks (k8s.io/apiserver, `pkg/cel/library/ip.go` and `cidr.go`).

use core::net::IpAddr;
use std::sync::Arc;

use super::Call;
use crate::cel::Stop;
use crate::cel::function::Function;
use crate::cel::value::Value;
use crate::scalar::mask_address;

/// The value of a call about addresses; `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    let (first, rest) = call.values.split_first()?;
    match first {
        Value::String(text) => call_on_text(call.function, text),
        Value::Address(address) => call_on_address(call.function, **address).map(Ok),
        Value::Block(block) => call_on_block(call.function, block.0, block.1, rest),
        _ => None,
    }
}

fn call_on_text<'v>(function: &Function, text: &str) -> Option<Result<Value<'v>, Stop>> {
    let unreadable = |what: &str| {
        Stop::error(format!("{what} \"{text}\" parse error during conversion from string"))
    };
    Some(match function {
        Function::IsIp => Ok(Value::Bool(read_address(text).is_some())),
        Function::Ip => {
            read_address(text).map(Value::address).ok_or_else(|| unreadable("IP Address"))
        }
        Function::IpIsCanonical => match read_address(text) {
            Some(address) => Ok(Value::Bool(address.to_string() == text)),
            None => Err(unreadable("IP Address")),
        },
        Function::IsCidr => Ok(Value::Bool(read_block(text).is_some())),
        Function::Cidr => read_block(text)
            .map(|block| Value::Block(Arc::new(block)))
            .ok_or_else(|| unreadable("network address")),
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

fn call_on_address<'v>(function: &Function, address: IpAddr) -> Option<Value<'v>> {
    Some(match function {
        Function::Family => Value::Int(if address.is_ipv4() { 4 } else { 6 }),
        Function::IsUnspecified => Value::Bool(address.is_unspecified()),
        Function::IsLoopback => Value::Bool(address.is_loopback()),
        Function::IsLinkLocalMulticast => Value::Bool(match address {
            IpAddr::V4(it) => it.octets().starts_with(&[224, 0, 0]),
            IpAddr::V6(it) => {
                it.segments().first().is_some_and(|segment| segment & 0xff0f == 0xff02)
            }
        }),
        Function::IsLinkLocalUnicast => Value::Bool(is_link_local(address)),
        Function::IsGlobalUnicast => Value::Bool(
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

fn call_on_block<'v>(
    function: &Function,
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
        (Function::Ip, []) => Ok(Value::address(address)),
        (Function::PrefixLength, []) => Ok(Value::Int(i64::from(prefix))),
        (Function::Masked, []) => {
            Ok(Value::Block(Arc::new((mask_address(address, prefix), prefix))))
        }
        (Function::ContainsIp, [Value::Address(other)]) => holds(**other, longest),
        (Function::ContainsIp, [Value::String(text)]) => match read_address(text) {
            Some(other) => holds(other, longest),
            None => Err(Stop::no_overload()),
        },
        (Function::ContainsCidr, [Value::Block(other)]) => holds(other.0, other.1),
        (Function::ContainsCidr, [Value::String(text)]) => match read_block(text) {
            Some((other, length)) => holds(other, length),
            None => Err(Stop::no_overload()),
        },
        _ => return None,
    })
}
