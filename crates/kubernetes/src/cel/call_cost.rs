//! The maximum cost of a call (k8s.io/apiserver, `pkg/cel/library/cost.go`, and cel-go's own
//! estimates).
#![allow(clippy::float_arithmetic, reason = "factors are those of the API server, in floats")]

use super::ast::{Kind, Literal};
use super::cost::{Argument, Coster, Range, Step};
use super::types::Type;

/// The cost of reading one character of a string.
const TRAVERSAL: f64 = 0.1;

/// The cost of one character of a regular expression.
const PATTERN: f64 = 0.25;

/// The length of the longest pattern of a named format, in characters.
const LONGEST_FORMAT_PATTERN: f64 = 128.0;

/// The cost of creating a list.
const LIST: Range = Range::exactly(10);

/// A call whose cost is estimated.
pub(super) struct Call<'a, 'c> {
    pub(super) function: &'a str,
    pub(super) overload: &'static str,
    pub(super) target: Option<&'a Argument<'c>>,
    pub(super) arguments: &'a [Argument<'c>],
    pub(super) costs: &'a [Range],
}

/// The estimated cost of a call, and the size of its value where the function determines it.
pub(super) struct Estimate {
    pub(super) cost: Range,
    pub(super) size: Option<Range>,
}

impl From<Range> for Estimate {
    fn from(cost: Range) -> Self {
        Self { cost, size: None }
    }
}

impl Call<'_, '_> {
    /// Estimates the cost of the call, including its arguments but not its target.
    pub(super) fn estimate(&self, coster: &Coster<'_>) -> Estimate {
        let of_arguments = self.costs.iter().fold(Range::ZERO, |sum, cost| sum.plus(*cost));
        if let Some(own) = self.of_lists().or_else(|| self.of_kubernetes(coster)) {
            return Estimate { cost: own.cost.plus(of_arguments), size: own.size };
        }
        match (self.overload, self.costs) {
            // The right operand may not be evaluated.
            ("logical_or" | "logical_and", [left, _]) => {
                Range { least: left.least, most: of_arguments.most }.into()
            }
            ("conditional", [condition, then, otherwise]) => {
                let cost = condition.plus(then.or(*otherwise));
                let sizes = self.arguments.get(1..).unwrap_or(&[]).iter().map(Argument::size);
                Estimate { cost, size: sizes.reduce(Range::or) }
            }
            _ => {
                let own = self.of_language().unwrap_or_else(|| Range::ONE.into());
                Estimate { cost: own.cost.plus(of_arguments), size: own.size }
            }
        }
    }

    fn argument(&self, at: usize) -> Option<Range> {
        self.arguments.get(at).map(Argument::size)
    }

    fn of_language(&self) -> Option<Estimate> {
        let first = self.argument(0);
        Some(match self.overload {
            "string_format" => self.target?.size().scaled(TRAVERSAL).into(),
            "string_to_bytes" => {
                let size = first?;
                let most = size.most.wrapping_mul(4);
                let result = Range { least: size.least, most };
                Estimate { cost: size.scaled(TRAVERSAL), size: Some(result) }
            }
            "bytes_to_string" => {
                let size = first?;
                let result = Range { least: size.least / 4, most: size.most };
                Estimate { cost: size.scaled(TRAVERSAL), size: Some(result) }
            }
            "strings_quote" => {
                let size = first?;
                let most = size.most.wrapping_mul(2).wrapping_add(2);
                let result = Range { least: size.least.wrapping_add(2), most };
                Estimate { cost: size.scaled(TRAVERSAL), size: Some(result) }
            }
            "starts_with_string" | "ends_with_string" => first?.scaled(TRAVERSAL).into(),
            "in_list" => self.argument(1)?.into(),
            "matches_string" => {
                let text = self.target?.size().plus(Range::ONE).scaled(TRAVERSAL);
                text.times(first?.scaled(PATTERN)).into()
            }
            "contains_string" => {
                let text = self.target?.size().scaled(TRAVERSAL);
                text.times(first?.scaled(TRAVERSAL)).into()
            }
            "add_list" => {
                let size = first?.plus(self.argument(1)?);
                Estimate { cost: Range::ONE, size: Some(size) }
            }
            "add_string" | "add_bytes" => {
                let size = first?.plus(self.argument(1)?);
                Estimate { cost: size.scaled(TRAVERSAL), size: Some(size) }
            }
            "equals"
            | "not_equals"
            | "less_string"
            | "greater_string"
            | "less_equals_string"
            | "greater_equals_string"
            | "less_bytes"
            | "greater_bytes"
            | "less_equals_bytes"
            | "greater_equals_bytes" => {
                let most = first?.most.min(self.argument(1)?.most);
                Range { least: most.min(1), most }.scaled(TRAVERSAL).into()
            }
            _ => return None,
        })
    }

    /// Estimates calls on lists and sets as cel-go's extensions do.
    fn of_lists(&self) -> Option<Estimate> {
        let target = self.target.map(Argument::size);
        let made = |factor: f64, size: Range| Estimate {
            cost: size.scaled(factor).plus(Range::ONE).plus(LIST),
            size: Some(size),
        };
        let sets = |factor| {
            let product = self.argument(0)?.times(self.argument(1)?);
            Some(Estimate::from(product.scaled(factor).plus(Range::ONE)))
        };
        Some(match self.overload {
            "list_sets_contains_list" | "list_sets_intersects_list" => sets(1.0)?,
            "list_sets_equivalent_list" => sets(2.0)?,
            "list_slice" => {
                let start = self.written(0, 0);
                let end = self.written(1, target?.most);
                made(1.0, Range::exactly(end.wrapping_sub(start)))
            }
            "lists_range" => made(1.0, Range::exactly(self.written(0, u64::MAX))),
            "list_reverse" | "list_flatten" => made(1.0, target?),
            #[expect(clippy::cast_precision_loss, reason = "the API server counts in floats")]
            "list_flatten_int" => made(self.written(0, u64::MAX) as f64, target?),
            "list_distinct" => made(2.0, target?.times(target?)),
            id if id.ends_with("_sort") => made(sort_factor(id), target?.times(target?)),
            id if id.ends_with("_sortByAssociatedKeys") => {
                let keys = self.argument(0)?;
                made(sort_factor(id), keys.times(keys))
            }
            _ => return None,
        })
    }

    /// The literal integer argument at this position, or `otherwise`.
    fn written(&self, at: usize, otherwise: u64) -> u64 {
        match self.arguments.get(at).map(|argument| &argument.expression.kind) {
            Some(Kind::Literal(Literal::Int(number))) => {
                u64::try_from(*number).unwrap_or(otherwise)
            }
            _ => otherwise,
        }
    }

    fn of_kubernetes(&self, coster: &Coster<'_>) -> Option<Estimate> {
        let first = self.argument(0);
        let target = self.target.map(Argument::size);
        Some(match self.function {
            "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => {
                let size = target?;
                match self.element(coster) {
                    Some((Type::String | Type::Bytes, element)) => {
                        size.times(Range::ONE.plus(element.scaled(TRAVERSAL))).into()
                    }
                    Some(_) => size.into(),
                    None => size.scaled(TRAVERSAL).into(),
                }
            }
            "url" | "jsonpatch.escapeKey" => {
                Estimate { cost: first?.scaled(TRAVERSAL), size: first }
            }
            "lowerAscii" | "upperAscii" | "substring" | "trim" => {
                Estimate { cost: target?.scaled(TRAVERSAL), size: target }
            }
            "replace" => {
                let size = size_after_replacement(target?, first?, self.argument(1)?);
                Estimate { cost: target?.scaled(2.0 * TRAVERSAL), size: Some(size) }
            }
            "split" => {
                let most = match self.arguments.get(1).map(|argument| &argument.expression.kind) {
                    Some(Kind::Literal(Literal::Int(number))) => number.cast_unsigned(),
                    _ => target?.most,
                };
                let size = Some(Range { least: 0, most });
                Estimate { cost: target?.scaled(2.0 * TRAVERSAL), size }
            }
            "join" => {
                let list = target?;
                let mut size = match self.element(coster) {
                    Some((_, element)) => list.times(element),
                    None => Range::ZERO,
                };
                if let Some(separator) = first {
                    let least = list.least.saturating_sub(1);
                    let most = list.most.saturating_sub(1);
                    size = size.plus(separator.times(Range { least, most }));
                }
                Estimate { cost: size.scaled(TRAVERSAL), size: Some(size) }
            }
            "find" | "findAll" => {
                let text = target?.plus(Range::ONE).scaled(TRAVERSAL);
                let size = Some(Range { least: 0, most: target?.most });
                Estimate { cost: text.times(first?.scaled(PATTERN)), size }
            }
            "ip" if self.overload == "cidr_ip" => Range::ONE.into(),
            "cidr" | "isIP" | "isCIDR" | "ip" | "quantity" | "isQuantity" | "semver"
            | "isSemver" => first?.scaled(TRAVERSAL).into(),
            "ip.isCanonical" => first?.scaled(2.0 * TRAVERSAL).into(),
            "containsIP" | "containsCIDR" => self.of_containment(first?).into(),
            "validate" => {
                let pattern = LONGEST_FORMAT_PATTERN * PATTERN;
                first?.scaled(TRAVERSAL).scaled(pattern).into()
            }
            "_==_" => self.of_equality()?.into(),
            name if NOMINAL.contains(&name) => Range::ONE.into(),
            _ => return None,
        })
    }

    fn of_containment(&self, argument: Range) -> Range {
        // The length of an address in bytes.
        let bytes = Range { least: 4, most: 16 };
        let mut cost = bytes.plus(bytes).scaled(TRAVERSAL);
        if self.function == "containsCIDR" {
            cost = cost.plus(bytes.scaled(TRAVERSAL)).plus(Range::ONE);
        }
        if self.overload.ends_with("_string") {
            cost = cost.plus(argument.scaled(TRAVERSAL));
        }
        cost
    }

    fn of_equality(&self) -> Option<Range> {
        let [left, right] = self.arguments else { return None };
        if left.value_type != right.value_type {
            return None;
        }
        let Type::Library(name) = left.value_type else { return None };
        Some(match *name {
            "kubernetes.NamedFormat" => Range { least: 1, most: 64 }.scaled(TRAVERSAL),
            "kubernetes.URL" => {
                let most = right.computed.map_or(1, |size| size.most);
                Range { least: 1, most }.scaled(TRAVERSAL)
            }
            _ => Range::ONE,
        })
    }

    /// The type and the size of the target's items, if the target is a list.
    fn element(&self, coster: &Coster<'_>) -> Option<(Type, Range)> {
        let target = self.target?;
        let value = match target.value_type {
            Type::List(item) => Type::clone(item),
            Type::Map(map) => map.0.clone(),
            Type::Optional(value) => Type::clone(value),
            _ => return None,
        };
        let mut path = target.path.clone();
        let size = if path.is_empty() {
            None
        } else {
            path.push(Step::Elements);
            coster.schema_size(&path)
        };
        Some((value, size.unwrap_or(Range::UNKNOWN)))
    }
}

/// Functions that read only one field.
const NOMINAL: &[&str] = &[
    "serviceAccount",
    "path",
    "group",
    "resource",
    "subresource",
    "namespace",
    "name",
    "allowed",
    "reason",
    "error",
    "errored",
    "masked",
    "prefixLength",
    "family",
    "isUnspecified",
    "isLoopback",
    "isLinkLocalMulticast",
    "isLinkLocalUnicast",
    "isGlobalUnicast",
    "format.named",
    "sign",
    "asInteger",
    "isInteger",
    "asApproximateFloat",
    "isGreaterThan",
    "isLessThan",
    "compareTo",
    "add",
    "sub",
    "major",
    "minor",
    "patch",
    "getScheme",
    "getHostname",
    "getHost",
    "getPort",
    "getEscapedPath",
    "getQuery",
];

/// The cost factor of sorting: two comparisons for each pair; strings are traversed.
fn sort_factor(overload: &str) -> f64 {
    if overload.starts_with("list_string_") || overload.starts_with("list_bytes_") {
        2.0 + TRAVERSAL
    } else {
        2.0
    }
}

/// The length of a string after each `old` in it is replaced by `new`.
fn size_after_replacement(text: Range, old: Range, new: Range) -> Range {
    let most = if old.least == 0 {
        // An empty `old` inserts `new` around every character.
        text.most.saturating_add(1).saturating_mul(new.most).saturating_add(text.most)
    } else if new.most <= old.least {
        text.most
    } else {
        text.most.div_ceil(old.least).saturating_mul(new.most)
    };
    let least = if old.most == 0 {
        text.least.saturating_add(1).saturating_mul(new.least).saturating_add(text.least)
    } else if old.most <= new.least {
        text.least
    } else {
        text.least.div_ceil(old.most).saturating_mul(new.least)
    };
    Range { least, most }
}
