/** An attached file: its bytes go into the store, its name and media type into the message. */
import { open } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { mimeOfName, sniffMime } from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError, type EventBody, errorCode } from "@cairn/timeline";
import { fileBytes } from "../command/file-bytes.ts";

export type Attachment = EventBody<"input.received">["attachments"][number];

/** A file that existed when it was named. */
export interface ChosenFile {
  readonly path: string;
  readonly name: string;
  readonly mime: string;
}

const SIGNATURE_BYTES = 64;

/** Throws `bad_attachment`, with the reason. */
export async function chooseFile(cwd: string, given: string): Promise<ChosenFile> {
  const path = resolve(cwd, given);
  try {
    await using file = await open(path, "r");
    if (!(await file.stat()).isFile()) throw new Error("it is not a file");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0);
    const start = buffer.subarray(0, bytesRead);
    const mime = sniffMime(start) ?? mimeOfName(path, start.includes(0) ? "application/octet-stream" : "text/plain");
    return { path, name: basename(path), mime };
  } catch (error) {
    throw badAttachment(given, error);
  }
}

export async function storeFile(store: ConversationStore, key: ConversationKey, file: ChosenFile): Promise<Attachment> {
  try {
    const { ref, size } = await store.putBlob(key, fileBytes(file.path));
    return { name: file.name, mime: file.mime, blob: ref, size_bytes: size };
  } catch (error) {
    throw CairnError.is(error) ? error : badAttachment(file.path, error);
  }
}

function badAttachment(given: string, error: unknown): CairnError {
  const why =
    errorCode(error) === "ENOENT" ? "there is no such file" : error instanceof Error ? error.message : String(error);
  return new CairnError("bad_attachment", `${given} cannot be attached: ${why}.`, { file: given });
}
