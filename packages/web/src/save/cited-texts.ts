/** The texts of the conversation's own files that its answers cite, by logical path. */
import type { ConversationView, FileView } from "@cairn/timeline";
import { request } from "../api/call.ts";
import { fileAddress } from "../api/client.ts";
import { fileKind } from "../files/file-kind.ts";

/** Maximum size of a file in which cited places are looked up. */
const MAX_BYTES = 10_000_000;

export async function loadCitedTexts(id: string, view: ConversationView): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const cited = new Set(view.sources.map(({ artifact_path }) => artifact_path));
  const filesOf = view.turns.flatMap(({ attachments, files, inputs }) => [
    ...attachments,
    ...inputs.flatMap((input) => input.attachments),
    ...files,
  ]);
  for (const file of filesOf) {
    if (!cited.has(file.path) || (file.size_bytes ?? 0) > MAX_BYTES) continue;
    try {
      found.set(file.path, await loadText(id, file));
    } catch {
      // Without the text, the list names the file and no place in it.
    }
  }
  // A document of another format has a text only if the agent has read it.
  for (const { path, text } of view.turns.flatMap(({ rounds }) => rounds.flatMap(({ results }) => results)))
    if (path !== null && cited.has(path) && (found.get(path) ?? "") === "") found.set(path, text);
  return found;
}

async function loadText(id: string, { name, mime, physical_path, version }: FileView): Promise<string> {
  const kind = fileKind(name, mime);
  if (physical_path === null || kind === "other" || kind === "image") return "";
  const address = fileAddress(id, physical_path, version);
  if (kind === "pdf") return (await import("../files/open-pdf.ts")).pdfText(address);
  return (await request(address)).text();
}
