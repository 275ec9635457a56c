// Share links: files and settings in the fragment of the address, which browsers do not send to servers.

import type { FileText, Role, Settings } from "./protocol";

export interface Shared {
  files: FileText[];
  settings: Settings;
  pane: string;
  /** The files that `diff` compares with, in a link to its pane. */
  base?: FileText[] | undefined;
}

const PREFIX = "#v1,";
/** The maximum size after decompression: a short link can contain a very long text. */
const MAX_BYTES = 16 << 20;
const ROLES: Role[] = ["named", "found", "policies"];

/** The fragment for a state. */
export async function encode(shared: Shared): Promise<string> {
  const json = new Blob([JSON.stringify(shared)]);
  const packed = json.stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  return PREFIX + base64url(bytes);
}

/** The state of a fragment; `undefined` for one that is not a share link. */
export async function decode(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith(PREFIX)) return undefined;
  const bytes = fromBase64url(fragment.slice(PREFIX.length));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const text = await limited(unpacked);
  return validated(JSON.parse(text));
}

/** The text of a stream; an error if it is too long. */
async function limited(stream: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error("it exceeds 16 MiB");
    chunks.push(new Uint8Array(chunk));
  }
  return new Blob(chunks).text();
}

/** Anyone can write a link, so nothing about its content is certain. */
function validated(value: unknown): Shared {
  const shared = record(value);
  const files = fileTexts(shared["files"]);
  if (files.length === 0) throw new Error("it has no files");
  const base = fileTexts(shared["base"] ?? []);
  const settings = record(shared["settings"] ?? {});
  return {
    files,
    base: base.length > 0 ? base : undefined,
    settings: {
      kubernetes: text(settings["kubernetes"]),
      policy: text(settings["policy"]),
      environment: text(settings["environment"]),
    },
    pane: text(shared["pane"]),
  };
}

function fileTexts(value: unknown): FileText[] {
  if (!Array.isArray(value)) return [];
  return value.map((it: unknown) => {
    const file = record(it);
    const role = ROLES.find((known) => known === file["role"]) ?? "named";
    return { name: text(file["name"]) || "input.yaml", text: text(file["text"]), role };
  });
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new Error("it is not an object");
  return value as Record<string, unknown>;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function base64url(bytes: Uint8Array): string {
  const parts: string[] = [];
  // The arguments of a call are limited.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(parts.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(encoded: string): Uint8Array<ArrayBuffer> {
  const binary = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (it) => it.charCodeAt(0));
}
