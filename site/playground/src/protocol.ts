// The requests and answers of `crates/wasm/src/request.rs`.

/** How the author added a file: on its own, as a part of a folder, or as policies of the cluster. */
export type Role = "named" | "found" | "policies";

export interface FileText {
  name: string;
  text: string;
  role: Role;
}

/** Empty strings are the defaults. */
export interface Settings {
  kubernetes: string;
  policy: string;
  environment: string;
}

export interface Input {
  files: FileText[];
  settings: Settings;
}

/** A line and a column from 1; the column counts code units of UTF-16. */
export interface Position {
  line: number;
  column: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Place extends Range {
  file: string;
}

export type Severity = "error" | "warning" | "note";

export interface Finding extends Place {
  rule: string;
  severity: Severity;
  title: string;
  remarks: string[];
  isInline: boolean;
  tag: "deprecated" | "unnecessary" | null;
  related: (Place & { text: string })[];
}

export interface Findings {
  findings: Finding[];
  hidden: number;
  errors: number;
  warnings: number;
  notes: number;
  text: string;
  environments: string[];
  kubernetes: string[];
}

export interface Edit extends Place {
  text: string;
}

export interface Action {
  title: string;
  kind: "fix" | "unsafeFix" | "allow" | "remove";
  rule: string;
  edits: Edit[];
}

export interface Hover extends Range {
  /** In Markdown. */
  text: string;
}

export interface Completion extends Range {
  label: string;
  /** A type of completions of CodeMirror. */
  kind: string;
  detail: string;
  docs: string;
  text: string;
  /** The text with places to fill in, or empty. */
  snippet: string;
  /** Another change that belongs to it. */
  beside: { at: Position; text: string } | null;
}

export interface Output {
  text: string;
  objects: string[];
  hasErrors: boolean;
}

export interface Info {
  version: string;
  kubernetes: string[];
  newest: string;
  policies: string[];
  rules: string[];
}

export interface ChangedFile {
  name: string;
  text: string;
}

export interface Explanation {
  page?: string;
  text?: string;
  rules?: { name: string; severity: Severity; summary: string }[];
}

/** Each command with its request and its answer. */
export interface Commands {
  info: { request: object; answer: Info };
  check: { request: { input: Input }; answer: Findings };
  report: { request: { input: Input }; answer: string };
  actions: { request: { input: Input; file: string; range: Range }; answer: Action[] };
  hover: { request: { input: Input; file: string; position: Position }; answer: Hover | null };
  complete: { request: { input: Input; file: string; position: Position }; answer: Completion[] };
  build: { request: { input: Input; to: "yaml" | "json"; isAnnotated: boolean }; answer: Output };
  effective: { request: { input: Input }; answer: Output };
  graph: {
    request: { input: Input };
    answer: { svg: string | null; problem: string | null; mermaid: string };
  };
  diff: {
    request: { old: Input; input: Input };
    answer: { text: string; hasErrors: boolean; side: string; changes: number };
  };
  why: { request: { input: Input; object: string; path: string | null }; answer: Output };
  fix: {
    request: { input: Input; isUnsafe: boolean };
    answer: { changes: ChangedFile[]; applied: number; unsafeLeft: number };
  };
  format: { request: { input: Input }; answer: { changes: ChangedFile[]; text: string } };
  split: {
    request: { input: Input; file: string };
    answer: { parts: { kind: string; name: string; text: string }[]; text: string };
  };
  explain: { request: { subject: string | null; apiVersion: string | null }; answer: Explanation };
  schema: { request: { kind: string | null; kubernetes: string | null }; answer: { text: string } };
}

export type Command = keyof Commands;

/** The reason why a request has no answer. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly help: string,
  ) {
    super(message);
  }
}
