// The settings of the extension as the server reads them. No part of the editor is needed here, so they
// are tested under Node.

/** What reads a setting: `vscode.WorkspaceConfiguration`, or a map in a test. */
export interface Settings {
  get<T>(name: string, otherwise: T): T;
}

/** The arguments of the server. */
export function serverArguments(settings: Settings): string[] {
  const options = ["kubernetes", "environment", "policy"];
  const given = options.flatMap((name) => {
    const value = settings.get<string>(name, "");
    return value === "" ? [] : [`--${name}`, value];
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
