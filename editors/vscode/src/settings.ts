// The settings of the extension as the server reads them. No part of the editor is needed here, so they
// are tested under Node.

/** What reads a setting: `vscode.WorkspaceConfiguration`, or a map in a test. */
export interface Settings {
  get<T>(name: string, otherwise: T): T;
}

/** The arguments of the server. Each value is part of its option, so that it cannot be another option. */
export function serverArguments(settings: Settings): string[] {
  const options = ["kubernetes", "environment", "policy"];
  const given = options.flatMap((name) => {
    const value = settings.get<string>(name, "");
    return value === "" ? [] : [`--${name}=${value}`];
  });
  return ["lsp", ...given];
}

/** The hints that are shown, for `initializationOptions` and `workspace/didChangeConfiguration`. */
export function hints(settings: Settings): { hints: Record<string, boolean> } {
  const kinds = ["uses", "expansions", "inherited"];
  const shown = kinds.map((kind) => [kind, settings.get<boolean>(`hints.${kind}`, true)]);
  return { hints: Object.fromEntries(shown) };
}

/** Whether a change of these settings requires another process, and not only a notification. */
export function needsRestart(isChanged: (name: string) => boolean): boolean {
  return ["path", "kubernetes", "environment", "policy"].some(isChanged);
}

/** What the server's answers may do: its Markdown quotes files, so it runs no commands and shows no HTML. */
export const MARKDOWN = { isTrusted: false, supportHtml: false } as const;

/** Whether a link of the server may be shown. VS Code would run a link with the scheme `command`. */
export function isLinkAllowed(scheme: string | undefined): boolean {
  return scheme === "file" || scheme === "https";
}

/**
 * The command and the document of a preview. Anything can open an address with the scheme of the previews, so that it
 * is read as input: `undefined` if it is not one that the extension makes.
 */
export function previewed(query: string): { command: string; source: string } | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(query);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 2) {
    return undefined;
  }
  const [command, source] = parts as unknown[];
  const isKnown = command === "sandboxc.built" || command === "sandboxc.effective";
  return isKnown && typeof source === "string" ? { command, source } : undefined;
}
