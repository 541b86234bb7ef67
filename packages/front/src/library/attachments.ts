/** The files of a message: paths, or their content. */
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { CairnError } from "@cairn/timeline";
import type { NewFile } from "../messages/take-message.ts";

/** A path, or a name with the content. Without a given media type, it is detected from the content and the name. */
export type Attachment =
  | string
  | { readonly name: string; readonly data: Uint8Array | ArrayBuffer | Blob | string; readonly mime?: string };

const MAX_NAME_LENGTH = 255;

/** Reads the attachments of a message. Throws `bad_attachment`, which names the wrong field. */
export async function readAttachments(files: readonly Attachment[]): Promise<readonly NewFile[]> {
  if (!Array.isArray(files)) throw badAttachment("files", "it must be a list");
  const read: NewFile[] = [];
  for (const [at, file] of files.entries()) read.push(await readAttachment(`files[${at}]`, file));
  return read;
}

async function readAttachment(field: string, file: unknown): Promise<NewFile> {
  if (typeof file === "string") return { name: basename(file), mime: undefined, bytes: await readPath(field, file) };
  if (typeof file !== "object" || file === null)
    throw badAttachment(field, "it must be a path, or an object with `name` and `data`");
  const { name, data, mime, ...others } = file as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw badAttachment(`${field}.${unknown}`, "a file has only the fields `name`, `data` and `mime`");
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME_LENGTH)
    throw badAttachment(`${field}.name`, `it must be a string of 1 to ${MAX_NAME_LENGTH} characters`);
  if (mime !== undefined && typeof mime !== "string")
    throw badAttachment(`${field}.mime`, "it must be a media type, such as text/csv");
  return { name, mime, bytes: await bytesOf(`${field}.data`, data) };
}

async function bytesOf(field: string, data: unknown): Promise<Uint8Array> {
  if (typeof data === "string") return Buffer.from(data);
  if (data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer());
  throw badAttachment(field, "it must be a string, bytes or a Blob");
}

async function readPath(field: string, path: string): Promise<Uint8Array> {
  try {
    if (!(await stat(path)).isFile()) throw new Error("it is not a file");
    return await readFile(path);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const why = isMissing ? "there is no such file" : error instanceof Error ? error.message : String(error);
    throw badAttachment(field, `${path} cannot be attached: ${why}`);
  }
}

function badAttachment(field: string, why: string): CairnError {
  return new CairnError("bad_attachment", `\`${field}\`: ${why}.`, { field });
}
