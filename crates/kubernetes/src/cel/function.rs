//! The functions of expressions, by name.

use lean_string::LeanStr;

macro_rules! functions {
    ($($function:ident $name:literal,)*) => {
        /// A function, resolved when an expression is parsed: the evaluation compares no names.
        #[derive(Clone, Debug)]
        pub(super) enum Function {
            $(#[doc = concat!("`", $name, "`")] $function,)*
            /// A named format, a function of values that only a cluster has, or an unknown one.
            Other(LeanStr),
        }

        impl Function {
            pub(super) fn named(name: &str) -> Self {
                match name {
                    $($name => Self::$function,)*
                    other => Self::Other(other.into()),
                }
            }

            pub(super) fn name(&self) -> &str {
                match self {
                    $(Self::$function => $name,)*
                    Self::Other(name) => name,
                }
            }
        }
    };
}

functions! {
    // Operators, and functions of macros.
    LogicalAnd "_&&_",
    LogicalOr "_||_",
    Conditional "_?_:_",
    NotStrictlyFalse "@not_strictly_false",
    Not "!_",
    Negate "-_",
    Equal "_==_",
    NotEqual "_!=_",
    Less "_<_",
    LessEqual "_<=_",
    Greater "_>_",
    GreaterEqual "_>=_",
    In "@in",
    Index "_[_]",
    OptionalIndex "_[?_]",
    OptionalSelect "_?._",
    Plus "_+_",
    Minus "_-_",
    Times "_*_",
    Divide "_/_",
    Remainder "_%_",
    MapInsert "cel.@mapInsert",
    SortByAssociatedKeys "@sortByAssociatedKeys",
    // Optional values.
    OptionalNone "optional.none",
    OptionalOf "optional.of",
    OptionalOfNonZeroValue "optional.ofNonZeroValue",
    HasValue "hasValue",
    Value "value",
    Or "or",
    OrValue "orValue",
    OptionalUnwrap "optional.unwrap",
    UnwrapOpt "unwrapOpt",
    First "first",
    Last "last",
    // Conversions.
    Dyn "dyn",
    Type "type",
    Bool "bool",
    Int "int",
    Uint "uint",
    Double "double",
    String "string",
    Bytes "bytes",
    Timestamp "timestamp",
    Duration "duration",
    // Strings and regular expressions.
    Size "size",
    Contains "contains",
    StartsWith "startsWith",
    EndsWith "endsWith",
    LowerAscii "lowerAscii",
    UpperAscii "upperAscii",
    Trim "trim",
    CharAt "charAt",
    IndexOf "indexOf",
    LastIndexOf "lastIndexOf",
    Replace "replace",
    Split "split",
    Substring "substring",
    Join "join",
    Format "format",
    StringsQuote "strings.quote",
    JsonpatchEscapeKey "jsonpatch.escapeKey",
    Matches "matches",
    Find "find",
    FindAll "findAll",
    // Lists and sets.
    IsSorted "isSorted",
    Sum "sum",
    Min "min",
    Max "max",
    Sort "sort",
    Distinct "distinct",
    Reverse "reverse",
    Slice "slice",
    Flatten "flatten",
    ListsRange "lists.range",
    SetsContains "sets.contains",
    SetsEquivalent "sets.equivalent",
    SetsIntersects "sets.intersects",
    // Timestamps and durations.
    GetFullYear "getFullYear",
    GetMonth "getMonth",
    GetDate "getDate",
    GetDayOfMonth "getDayOfMonth",
    GetDayOfWeek "getDayOfWeek",
    GetDayOfYear "getDayOfYear",
    GetHours "getHours",
    GetMinutes "getMinutes",
    GetSeconds "getSeconds",
    GetMilliseconds "getMilliseconds",
    // Quantities and versions.
    Quantity "quantity",
    IsQuantity "isQuantity",
    IsInteger "isInteger",
    AsInteger "asInteger",
    AsApproximateFloat "asApproximateFloat",
    Sign "sign",
    Add "add",
    Sub "sub",
    IsGreaterThan "isGreaterThan",
    IsLessThan "isLessThan",
    CompareTo "compareTo",
    Semver "semver",
    IsSemver "isSemver",
    Major "major",
    Minor "minor",
    Patch "patch",
    // Addresses.
    Ip "ip",
    IsIp "isIP",
    IpIsCanonical "ip.isCanonical",
    Family "family",
    IsUnspecified "isUnspecified",
    IsLoopback "isLoopback",
    IsLinkLocalMulticast "isLinkLocalMulticast",
    IsLinkLocalUnicast "isLinkLocalUnicast",
    IsGlobalUnicast "isGlobalUnicast",
    Cidr "cidr",
    IsCidr "isCIDR",
    PrefixLength "prefixLength",
    Masked "masked",
    ContainsIp "containsIP",
    ContainsCidr "containsCIDR",
    // URLs and formats.
    Url "url",
    IsUrl "isURL",
    GetScheme "getScheme",
    GetHost "getHost",
    GetHostname "getHostname",
    GetPort "getPort",
    GetEscapedPath "getEscapedPath",
    GetQuery "getQuery",
    FormatNamed "format.named",
    Validate "validate",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cel::declarations;

    /// A name without a variant has no overload at run time.
    #[test]
    fn the_evaluator_knows_the_declared_functions() {
        let is_other = |name: &&str| matches!(Function::named(name), Function::Other(_));
        let others = declarations::names().filter(is_other);
        let others: Vec<_> = others.filter(|name| !name.starts_with("format.")).collect();
        let old_operators = ["__not_strictly_false__", "_in_", "in"];
        let of_authorizers = [
            "allowed",
            "check",
            "error",
            "errored",
            "fieldSelector",
            "group",
            "labelSelector",
            "name",
            "namespace",
            "path",
            "reason",
            "resource",
            "serviceAccount",
            "subresource",
        ];
        let mut expected = [&old_operators[..], &of_authorizers].concat();
        expected.sort_unstable();
        assert_eq!(others, expected);
    }

    #[test]
    fn a_function_keeps_its_name() {
        for name in declarations::names().chain(["", "unknown"]) {
            assert_eq!(Function::named(name).name(), name);
        }
    }
}
