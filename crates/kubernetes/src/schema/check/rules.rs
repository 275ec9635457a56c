//! The rules of the walker.

use crate::diag::declare_rules;

declare_rules! {
    BASE64_INVALID = "base64-invalid", Error;
    DATE_TIME_INVALID = "date-time-invalid", Error;
    ENUM_VALUE_UNKNOWN = "enum-value-unknown", Error;
    ENUM_VALUE_NOT_IN_VERSION = "enum-value-not-in-version", Error;
    FIELD_MISSING = "field-missing", Error, follows = [Misplaced];
    FIELD_NOT_IN_VERSION = "field-not-in-version", Error;
    INTEGER_OUT_OF_RANGE = "integer-out-of-range", Error;
    INTERNAL = "internal", Error;
    ITEM_LOST_ON_APPLY = "item-lost-on-apply", Warning;
    LIST_ITEM_DUPLICATE = "list-item-duplicate", Error, follows = [SamePlace];
    NULL_NOT_ALLOWED = "null-not-allowed", Error;
    QUANTITY_INVALID = "quantity-invalid", Error;
    UNKNOWN_FIELD = "unknown-field", Error;
    WRONG_TYPE = "wrong-type", Error;
}
