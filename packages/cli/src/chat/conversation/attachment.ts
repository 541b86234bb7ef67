/** Reads a file that a person attaches to a message. */
import { open, readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { mimeOfName, sniffMime } from "@cairn/agent";
import { CairnError, errorCode } from "@cairn/timeline";
import type { NewFile } from "cairn-agent/turns";
import type { Terminal } from "../../command/terminal.ts";

/** A file that existed when it was named. */
export interface ChosenFile {
  readonly path: string;
  readonly name: string;
  readonly mime: string;
}

const SIGNATURE_BYTES = 64;
/** A word that Tab completes to a file name. */
const MENTION = /(?<!\S)@((?:\\.|[^\s\\])+)/g;

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

/** The files that a message names with `@`. A word that names no file is only a word. Throws `bad_attachment`. */
export async function mentionedFiles(message: string, { cwd, env }: Terminal): Promise<ChosenFile[]> {
  const files = new Map<string, ChosenFile>();
  for (const [, word = ""] of message.matchAll(MENTION))
    for (const given of new Set([word, word.replace(/[.,;:!?)]+$/, "")])) {
      const name = readFileName(given, env.HOME);
      if (!(await isFile(resolve(cwd, name)))) continue;
      const file = await chooseFile(cwd, name);
      files.set(file.path, file);
      break;
    }
  return [...files.values()];
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return false;
  }
}

/** Reads a file name as people write it or terminals paste it: quoted, with escaped spaces, or with `~`. */
export function readFileName(given: string, home: string | undefined): string {
  const quoted = /^(["'])(.*)\1$/.exec(given)?.[2];
  if (quoted !== undefined) return quoted;
  const plain = given.replace(/\\([ '"()&[\]\\])/g, "$1");
  return home !== undefined && plain.startsWith("~/") ? `${home}${plain.slice(1)}` : plain;
}

/** The file in its current state. Throws `bad_attachment`. */
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
