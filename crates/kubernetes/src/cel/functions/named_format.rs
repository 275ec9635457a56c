//! Formats that have a name: `format.dns1123Label()`.

use super::Call;
use super::url::Url;
use crate::cel::Stop;
use crate::cel::function::Function;
use crate::cel::value::Value;
use crate::scalar::{
    check_dns_label, check_dns_prefix, check_dns_subdomain, check_label_value,
    check_qualified_name, check_service_name,
};
use crate::schema::Format;

/// A format by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NamedFormat(&'static str);

const NAMES: &[&str] = &[
    "dns1123Label",
    "dns1123Subdomain",
    "dns1035Label",
    "qualifiedName",
    "dns1123LabelPrefix",
    "dns1123SubdomainPrefix",
    "dns1035LabelPrefix",
    "labelValue",
    "uri",
    "uuid",
    "byte",
    "date",
    "datetime",
];

/// The value of a call about formats; `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    let named =
        |name: &str| NAMES.iter().find(|known| **known == name).map(|known| NamedFormat(known));
    match (call.function, &*call.values) {
        (Function::FormatNamed, [Value::String(name)]) => {
            Some(Ok(named(name)
                .map_or(Value::Optional(None), |format| Value::some(Value::Format(format)))))
        }
        (Function::Validate, [Value::Format(format), Value::String(text)]) => {
            Some(Ok(if format.accepts(text) {
                Value::Optional(None)
            } else {
                let message = Value::text(format!("does not match the format {}", format.0));
                Value::some(Value::list(vec![message]))
            }))
        }
        (Function::Other(name), []) => {
            named(name.strip_prefix("format.")?).map(|format| Ok(Value::Format(format)))
        }
        _ => None,
    }
}

impl NamedFormat {
    fn accepts(self, text: &str) -> bool {
        match self.0 {
            "dns1123Label" => check_dns_label(text).is_ok(),
            "dns1123Subdomain" => check_dns_subdomain(text).is_ok(),
            "dns1035Label" => check_service_name(text).is_ok(),
            "qualifiedName" => check_qualified_name(text).is_ok(),
            // A trailing dash is valid in a prefix, because more characters follow.
            "dns1123LabelPrefix" => check_dns_label(&without_last_dash(text)).is_ok(),
            "dns1123SubdomainPrefix" => check_dns_prefix(text).is_ok(),
            "dns1035LabelPrefix" => check_service_name(&without_last_dash(text)).is_ok(),
            "labelValue" => check_label_value(text).is_ok(),
            "uri" => Url::is_url(text),
            "uuid" => Format::Uuid.accepts(text),
            "byte" => Format::Byte.accepts(text),
            "date" => Format::Date.accepts(text),
            _ => Format::DateTime.accepts(text),
        }
    }
}

/// The text with an `a` in place of a dash at its end and the byte before it, as the API server checks
/// prefixes.
fn without_last_dash(text: &str) -> String {
    let rest = text.strip_suffix('-').unwrap_or_default();
    // Half a character is as invalid as the dash.
    let kept = rest.len().checked_sub(1).and_then(|end| rest.get(..end));
    kept.map_or_else(|| text.to_owned(), |kept| format!("{kept}a"))
}
