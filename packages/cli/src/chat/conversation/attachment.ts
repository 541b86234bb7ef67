/** Reads a file that a person attaches to a message. */
import { open, readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { mimeOfName, sniffMime } from "@cairn/agent";
import { CairnError, errorCode } from "@cairn/timeline";
import type { NewFile } from "cairn-agent/turns";

/** A file that existed when the person named it. */
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

/** The file as it is now. Throws `bad_attachment`. */
export async function readChosen({ path, name, mime }: ChosenFile): Promise<NewFile> {
  try {
    return { name, mime, bytes: await readFile(path) };
  } catch (error) {
    throw badAttachment(path, error);
  }
}

function badAttachment(given: string, error: unknown): CairnError {
  const why =
    errorCode(error) === "ENOENT" ? "there is no such file" : error instanceof Error ? error.message : String(error);
  return new CairnError("bad_attachment", `${given} cannot be attached: ${why}.`, { file: given });
}
