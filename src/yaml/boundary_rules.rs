//! The rules on document boundaries: what Go's readers refuse, lose or cut elsewhere.

use crate::diag::declare_rules;

declare_rules! {
    /// ## What it does
    /// Reports a byte order mark (U+FEFF) behind the start of a file.
    ///
    /// ## Why
    /// It comes from gluing files together, cannot be seen, and readers part ways over it: YAML
    /// forbids it inside a document, kubectl drops it at the start of a line, others make it part
    /// of the first key, so that `apiVersion` is suddenly unknown.
    ///
    /// ## Example
    /// ```text
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: first}
    /// ---
    /// <U+FEFF>apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: second}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: first}
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: second}
    /// ```
    BYTE_ORDER_MARK_INSIDE = "byte-order-mark-inside", Error;

    /// ## What it does
    /// Reports text on the line of a `...`.
    ///
    /// ## Why
    /// YAML allows a comment there and nothing else. Go's readers drop the text and say nothing, so
    /// the mistake is found by the first other tool that reads the file.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ... end of settings
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// # end of settings
    /// ```
    DOCUMENT_END_WITH_TEXT = "document-end-with-text", Error;

    /// ## What it does
    /// Reports a `...` that has no content before it.
    ///
    /// ## Why
    /// `...` ends a document. kubectl cuts the stream at `---` and hands a piece that holds `...`
    /// alone to its parser, which refuses it and with it the rest of the file.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: first}
    /// ---
    /// ...
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: second}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: first}
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: second}
    /// ```
    DOCUMENT_END_WITHOUT_CONTENT = "document-end-without-content", Error;

    /// ## What it does
    /// Notes a document whose first line is indented.
    ///
    /// ## Why
    /// YAML allows it and kubectl reads it. Helm strips the white space behind `---`, so that the
    /// first line loses its indentation, the others keep theirs, and the document no longer parses.
    ///
    /// ## Example
    /// ```yaml
    /// ---
    ///   apiVersion: v1
    ///   kind: ConfigMap
    ///   metadata: {name: settings}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    DOCUMENT_INDENTED = "document-indented", Note;

    /// ## What it does
    /// Warns where another reader cuts the same bytes into other documents, and names the readers
    /// and what they make of the file.
    ///
    /// ## Why
    /// kubectl, kubeconform, kustomize and Helm do not parse a stream to find its documents; each
    /// searches for lines with three dashes in its own way. On ordinary files they agree. Here one
    /// of them loses or joins documents, without a message of its own: a last line `---` with a
    /// blank behind it and no line feed, for one, makes kubeconform skip the document before it.
    ///
    /// ## Example
    /// ```text
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ---<blank, and no line feed: the file ends here>
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    DOCUMENT_MARKER_AMBIGUOUS = "document-marker-ambiguous", Warning;

    /// ## What it does
    /// Reports a line `---` or `...` in the middle of a quoted text or of `[...]` or `{...}`.
    ///
    /// ## Why
    /// At the start of a line these characters end the document wherever they stand, so the value
    /// is torn apart. Indented by one blank they are text like any other.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// data:
    ///   text: "first
    /// ---
    ///     second"
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// data:
    ///   text: |-
    ///     first
    ///     ---
    ///     second
    /// ```
    DOCUMENT_MARKER_INSIDE_VALUE = "document-marker-inside-value", Error;

    /// ## What it does
    /// Reports content on the line of a `---`.
    ///
    /// ## Why
    /// YAML allows it. kubectl refuses the file (`invalid Yaml document separator`) and drops the
    /// document before the marker with it; kubeconform reads on without the content of that line.
    ///
    /// ## Example
    /// ```yaml
    /// --- {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// ---
    /// {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
    /// ```
    DOCUMENT_MARKER_WITH_CONTENT = "document-marker-with-content", Error;

    /// ## What it does
    /// Reports `---` with a `#` or an unusual blank (a no-break space, a form feed) directly behind.
    ///
    /// ## Why
    /// For YAML such a line is text of the document. Go's readers trim what follows the dashes and
    /// start a document there. A comment needs a space before its `#`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: first}
    /// ---# the second one
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: second}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: first}
    /// --- # the second one
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: second}
    /// ```
    DOCUMENT_MARKER_WITHOUT_BLANK = "document-marker-without-blank", Error;

    /// ## What it does
    /// Reports a document that begins behind a `...` without a `---` of its own.
    ///
    /// ## Why
    /// Go's readers cut at `---` alone and read the first document of each piece. kubectl applies
    /// what stands before the `...`, drops everything behind it, and says nothing.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: first}
    /// ...
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: second}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: first}
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: second}
    /// ```
    DOCUMENT_WITHOUT_MARKER = "document-without-marker", Error;

    /// ## What it does
    /// Reports several JSON values in a row without `---` between them.
    ///
    /// ## Why
    /// It is a JSON stream, not YAML: kubectl reads all values if the file begins with `{`; every
    /// other reader takes the first one at most.
    ///
    /// ## Example
    /// ```yaml
    /// {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "first"}}
    /// {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "second"}}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "first"}}
    /// ---
    /// {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "second"}}
    /// ```
    JSON_VALUES_IN_A_ROW = "json-values-in-a-row", Error;

    /// ## What it does
    /// Reports a line that begins with `---` and goes on with text: `----`, `---name: x`,
    /// `-----BEGIN CERTIFICATE-----`.
    ///
    /// ## Why
    /// For YAML it is text, or a key. kubectl refuses the file (`invalid Yaml document separator`),
    /// Helm and kubeconform start a document there. Mostly a line break is missing behind `---`, or
    /// the indentation of a text block.
    ///
    /// ## Example
    /// ```yaml
    /// ---apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    LINE_OF_DASHES_WITH_TEXT = "line-of-dashes-with-text", Error;

    /// ## What it does
    /// Reports a document marker whose line is ended, or begun, by a carriage return without a line
    /// feed.
    ///
    /// ## Why
    /// YAML ends a line there. Go's readers end lines at line feeds alone, do not see the marker,
    /// and lose every document behind the first.
    ///
    /// ## Example
    /// ```text
    /// apiVersion: v1<CR>kind: ConfigMap<CR>---<CR>apiVersion: v1<CR>kind: Secret<CR>
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: first}
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: second}
    /// ```
    LONE_CARRIAGE_RETURN = "lone-carriage-return", Error;

    /// ## What it does
    /// Reports a U+0085, U+2028 or U+2029 with `---` or `...` behind it.
    ///
    /// ## Why
    /// YAML 1.1, which kubectl's parser speaks, ends a line at these characters and the document
    /// with it; what follows is lost silently. YAML 1.2 takes them for text.
    ///
    /// ## Example
    /// ```text
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// data: {text: first<U+2028>--- second}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// data: {text: "first\L--- second"}
    /// ```
    UNICODE_LINE_BREAK_BEFORE_MARKER = "unicode-line-break-before-marker", Error;

    /// ## What it does
    /// Reports a directive: a line that begins with `%` in front of a document.
    ///
    /// ## Why
    /// kubectl and Helm cut the stream at the `---` behind the directive, so that the directive is
    /// parsed alone, and refused. `%YAML 1.2` is refused by every Go reader. A manifest needs none.
    ///
    /// ## Example
    /// ```yaml
    /// %YAML 1.2
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    ///
    /// ## Use instead
    /// ```yaml
    /// ---
    /// apiVersion: v1
    /// kind: ConfigMap
    /// metadata: {name: settings}
    /// ```
    YAML_DIRECTIVE = "yaml-directive", Error;
}
