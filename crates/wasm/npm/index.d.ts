/** A text, or texts by the names of their files. A `sandboxc.yaml` is the Project of the files at or below it. */
export type Source = string | Readonly<Record<string, string>>;

export interface Settings {
  /** The versions whose API servers must accept the objects: `1.33`, `1.33,1.37`, `1.33..1.37`. By default the newest. */
  kubernetes?: string;
  /** The Pod Security Standard that all Pods must satisfy: `baseline`, `restricted`, `restricted@v1.30`. */
  policy?: string;
  /** The environment of the Project. */
  environment?: string;
}

/** A range of a file. Lines and columns count from 1, columns in characters; bytes from 0, in UTF-8. */
export interface Place {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  startByte: number;
  endByte: number;
}

/** A fault in the input. */
export interface Finding extends Place {
  /** The name of the rule: `explain` describes it. */
  rule: string;
  /** An API server rejects an object with an error. */
  severity: "error" | "warning" | "note";
  /** The fault in a sentence. */
  message: string;
  /** The field of the object, such as `spec.containers[0].image`. */
  path: string | null;
  /** The versions to which it applies, if those are only some of the versions of the run. */
  kubernetes: string[] | null;
  /** A remark on the range; can be empty. */
  label: string;
  /** Findings with one cause are one finding. */
  occurrences: { count: number; others: Place[] };
  /** Related places. */
  labels: (Place & { text: string })[];
  /** Consequences and background. */
  notes: string[];
  /** What to do. */
  help: string[];
  /** Edits that remove the cause. Only the intention of a safe one is certain. */
  suggestions: (Place & { replacement: string; text: string; safety: "safe" | "unsafe" })[];
}

/** A request that has no answer: an unknown setting, too much input. */
export class SandboxcError extends Error {
  readonly help: string;
}

/** Input with errors, which cannot be compiled. The message has the findings with their source. */
export class InputError extends SandboxcError {
  readonly findings: Finding[];
}

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; [key: string]: unknown };
  [key: string]: unknown;
}

export interface Compiler {
  /** The version of the compiler. */
  readonly version: string;
  /** The findings, sorted by their place. */
  check(source: Source, settings?: Settings): Finding[];
  /** The objects as one YAML stream in apply order. Throws an `InputError` if a server would reject one of them. */
  build(source: Source, settings?: Settings): string;
  /** Like `build`, as objects. */
  objects(source: Source, settings?: Settings): KubernetesObject[];
  /** The documentation of a rule, or of a kind or field: `Template.network.egress`. */
  explain(subject: string): string;
}

/** Loads the compiler, once. */
export function load(): Promise<Compiler>;
