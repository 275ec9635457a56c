//! The rules for document boundaries: streams that Go's readers reject, truncate or split
//! differently.

use crate::diag::declare_rules;

declare_rules! {
    BYTE_ORDER_MARK_INSIDE = "byte-order-mark-inside", Error;
    DOCUMENT_END_WITH_TEXT = "document-end-with-text", Error;
    DOCUMENT_END_WITHOUT_CONTENT = "document-end-without-content", Error;
    DOCUMENT_INDENTED = "document-indented", Note;
    DOCUMENT_MARKER_AMBIGUOUS = "document-marker-ambiguous", Warning;
    DOCUMENT_MARKER_INSIDE_VALUE = "document-marker-inside-value", Error;
    DOCUMENT_MARKER_WITH_CONTENT = "document-marker-with-content", Error;
    DOCUMENT_MARKER_WITHOUT_BLANK = "document-marker-without-blank", Error;
    DOCUMENT_WITHOUT_MARKER = "document-without-marker", Error;
    JSON_VALUES_IN_A_ROW = "json-values-in-a-row", Error;
    LINE_OF_DASHES_WITH_TEXT = "line-of-dashes-with-text", Error;
    LONE_CARRIAGE_RETURN = "lone-carriage-return", Error;
    UNICODE_LINE_BREAK_BEFORE_MARKER = "unicode-line-break-before-marker", Error;
    YAML_DIRECTIVE = "yaml-directive", Error;
}
