/** Stores the files of a server's answer. A notice names those that are too many or too large. */
import type { Scribe, ToolContext } from "@cairn/agent";
import { type ReceivedFile, receiveFile } from "../files/received-file.ts";

export interface Binary {
  readonly name: string;
  readonly mime: string;
  readonly data: string;
}

const MAX_FILES = 20;
const MAX_BASE64_CHARS = 40_000_000;

export async function keepFiles(
  binaries: readonly Binary[],
  context: ToolContext,
): Promise<{ readonly files: readonly ReceivedFile[]; readonly lost: readonly string[] }> {
  const files: ReceivedFile[] = [];
  const lost: string[] = [];
  for (const [nth, { name, mime, data }] of binaries.entries()) {
    context.signal.throwIfAborted();
    if (nth >= MAX_FILES || data.length > MAX_BASE64_CHARS) lost.push(name);
    else
      files.push(await receiveFile({ name: `${nth + 1}-${name}`, mime, bytes: Buffer.from(data, "base64") }, context));
  }
  return { files, lost };
}

export function noticeLost(scribe: Scribe, lost: readonly string[]): void {
  if (lost.length === 0) return;
  const names = lost.join(", ").slice(0, 500).toWellFormed();
  scribe.notice("tool_call_warning.files_dropped", `Too many or too large to be kept: ${names}.`);
}

/** A file name: the last segment of an address. */
export function nameInUri(uri: string): string {
  const name = uri.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? "";
  return name === "" ? "resource" : name;
}
