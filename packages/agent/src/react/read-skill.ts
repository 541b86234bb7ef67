/**
 * A path of a skill as `react.read` shows it: the text of the skill, or the text of one of its files. For a document,
 * this is the text in the document.
 */
import { CairnError } from "@cairn/timeline";
import type { Skill } from "../skill/skill.ts";
import { readSkill } from "../skill/skill-files.ts";
import { mimeOfName, sniffMime } from "../workspace/media.ts";
import { fileText } from "./file-text.ts";

/** The text of a skill or of its file; null when there is none. Throws `unreadable` for a file that is not text. */
export async function skillText(
  path: string,
  name: string,
  skills: readonly Skill[],
  signal: AbortSignal,
): Promise<{ readonly mime: string; readonly text: string } | null> {
  const found = await readSkill(skills, name);
  if (found === null) return null;
  if ("text" in found) return { mime: "text/markdown", text: found.text };
  const { file, bytes } = found;
  const picture = sniffMime(bytes);
  const mime = picture ?? mimeOfName(file, "text/plain");
  if (picture?.startsWith("image/") === true) throw notText(path, mime, bytes);
  const read = await fileText(bytes, file, mime, signal);
  if ("text" in read) return { mime: read.isExtracted ? "text/plain" : mime, text: read.text };
  if (bytes.length === 0) throw new CairnError("unreadable", `${path} is empty.`);
  throw notText(path, mimeOfName(file, "application/octet-stream"), bytes);
}

function notText(path: string, mime: string, { length }: Uint8Array): CairnError {
  return new CairnError("unreadable", `${path} is not text (${mime}, ${length} bytes). Only programs can use it.`);
}
