/**
 * The blocks of the attachments of a message: a description and a stored block for each attachment. Pictures and PDFs
 * refer to their bytes; for other files only the description is shown until they are read.
 */
import type { ConversationKey } from "@cairn/store";
import { type Block, isEligible, type SourceInput } from "@cairn/timeline";
import { hostingFields } from "../../workspace/hosting-fields.ts";
import type { ArrivedAttachment } from "./arrived-attachment.ts";

interface AttachmentContribution {
  readonly blocks: readonly Block[];
  readonly sources: readonly SourceInput[];
}

/** `taken`: paths of the turn's earlier attachments. */
export function attachmentBlocks(
  conversation: ConversationKey,
  turnId: string,
  attachments: readonly ArrivedAttachment[],
  taken: Iterable<string> = [],
): AttachmentContribution {
  const names = new AttachmentNames(turnId, taken);
  const attached = attachments.map((attachment) =>
    blocksOf(conversation, turnId, attachment, names.choose(attachment.name)),
  );
  return { blocks: attached.flatMap(({ blocks }) => blocks), sources: attached.flatMap(({ sources }) => sources) };
}

function blocksOf(
  conversation: ConversationKey,
  turnId: string,
  attachment: ArrivedAttachment,
  name: string,
): AttachmentContribution {
  const path = attachmentPath(turnId, name);
  const physical_path = `${turnId}/attachments/${name}`;
  const { mime, blockMime, size_bytes, blob, measures, summary } = attachment;
  const described = {
    artifact_path: path,
    physical_path,
    filename: name,
    mime,
    kind: "file",
    visibility: "external",
    size_bytes,
    ...(summary === null ? {} : { summary }),
  };
  const key = blob === null ? {} : { blob };
  const hosting = hostingFields(conversation, physical_path);
  const common = { author: "user", turn_id: turnId, path };
  const eligible = isEligible({ source_type: "attachment", mime: blockMime });
  return {
    blocks: [
      { ...common, type: "user.attachment.meta", mime: "application/json", text: JSON.stringify(described) },
      {
        ...common,
        type: "user.attachment",
        mime: blockMime,
        meta: { ...key, ...measures, ...hosting, size_bytes, physical_path, digest: described },
      },
    ],
    sources: eligible
      ? [
          {
            source_type: "attachment",
            title: name,
            artifact_path: path,
            physical_path,
            mime: blockMime,
            size_bytes,
            ...hosting,
          },
        ]
      : [],
  };
}

function attachmentPath(turnId: string, name: string): string {
  return `fi:${turnId}.user.attachments/${name}`;
}

/** Maximum length in bytes. A file system allows 255; the rest is for a number that makes the name unique. */
const MAX_STEM_LENGTH = 200;
const MAX_ENDING_LENGTH = 32;

function cut(text: string, bytes: number): string {
  let left = bytes;
  let end = 0;
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** The names of attachments: one path segment each, unique within a turn even if the file system ignores case. */
export class AttachmentNames {
  readonly #turnId: string;
  readonly #taken: Set<string>;

  constructor(turnId: string, taken: Iterable<string>) {
    this.#turnId = turnId;
    this.#taken = new Set([...taken].map((path) => path.toLowerCase()));
  }

  /** The given name if possible, otherwise with a number before its extension. */
  choose(given: string): string {
    const base = given.toWellFormed().replaceAll("\\", "/").split("/").at(-1) ?? "";
    // A name that ends like a version (`@v2`) would be parsed as a version, so its path would not find the file.
    const plain = base
      .replace(/\p{Cc}+/gu, " ")
      .trim()
      .replace(/@v(\d+)$/, "-v$1");
    const usable = plain === "" || plain === "." || plain === ".." ? "attachment" : plain;
    const dot = usable.lastIndexOf(".");
    const [long, ending] = dot > 0 ? [usable.slice(0, dot), cut(usable.slice(dot), MAX_ENDING_LENGTH)] : [usable, ""];
    const stem = cut(long, MAX_STEM_LENGTH);
    for (let number = 1; ; number++) {
      const name = number === 1 ? `${stem}${ending}` : `${stem}-${number}${ending}`;
      const path = attachmentPath(this.#turnId, name).toLowerCase();
      if (this.#taken.has(path)) continue;
      this.#taken.add(path);
      return name;
    }
  }
}
