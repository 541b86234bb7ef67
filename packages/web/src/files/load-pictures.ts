/** The pictures of a conversation as `data:` addresses, so that a saved file is complete. */
import type { FileView, TurnView } from "@cairn/timeline";
import { request } from "../api/call.ts";
import { fileAddress } from "../api/client.ts";
import { tell } from "../state/app-state.ts";
import { dataUrl } from "../state/data-url.ts";
import { fileKind } from "./file-kind.ts";

/** Maximum size of a picture that is included. Only the names of larger ones are written. */
const MAX_BYTES = 5_000_000;

/** The pictures by logical path. The user is told which pictures could not be loaded. */
export async function loadPictures(id: string, turns: readonly TurnView[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const missing: string[] = [];
  for (const file of turns.flatMap(({ attachments, files }) => [...attachments, ...files])) {
    const type = pictureType(file);
    if (type === null || file.physical_path === null || (file.size_bytes ?? 0) > MAX_BYTES) continue;
    try {
      const answer = await request(fileAddress(id, file.physical_path, file.version));
      found.set(file.path, await dataUrl(new Blob([await answer.arrayBuffer()], { type })));
    } catch {
      missing.push(file.name);
    }
  }
  if (missing.length > 0)
    tell("problem", `Saved without these pictures, which could not be loaded: ${missing.join(", ")}`);
  return found;
}

function pictureType({ name, mime }: FileView): string | null {
  const kind = fileKind(name, mime);
  if (kind === "svg") return "image/svg+xml";
  return kind === "image" ? mime : null;
}
