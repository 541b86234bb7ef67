/** `cairn import`: a conversation from an exported file, or from messages of another system as JSON. */
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type ByteSource, type ConversationKey, reportImport } from "@cairn/store";
import { CairnError, JsonCounter, loadTokenizer } from "@cairn/timeline";
import type { OpenedStore } from "cairn-agent/process";
import { importMessages } from "cairn-agent/turns";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { fileBytes } from "../command/file-bytes.ts";
import { countBytes, doLongWork } from "../command/long-work.ts";
import { keyOf, openData } from "../command/open-data.ts";
import { type Terminal, writeJson } from "../command/terminal.ts";

export const importCommand: Command = {
  summary: "import a conversation from an exported file, or from messages of another SDK",
  usage:
    "import <file> [--as <id>] [--json]\n\n  <file>     the file to read, or - for standard input: an export, or a JSON array of messages\n             (UIMessage[] of the AI SDK, OpenAI messages or items, Anthropic messages)\n  --as <id>  the id of the new conversation (default: the file's name without its extension)",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(args, { as: { type: "string" }, json: { type: "boolean" } }, ["<file>"]);
    const given = positionals[0] ?? "";
    const id = values.as ?? basename(given).replace(/\.[^.]*$/, "");
    if (given === "-" && values.as === undefined)
      throw new CairnError("usage", "--as is missing. Standard input has no file name to take the id from.");
    const { source, size } =
      given === "-" ? { source: terminal.stdin, size: undefined } : await openFile(resolve(terminal.cwd, given));
    await using data = await openData(terminal, { create: true });
    const key = keyOf(terminal, id);
    const { printed, remarks } = await doLongWork(terminal, "Importing", async ({ report }, signal) => {
      const { start, all } = await peek(countBytes(source, (done) => report(done, size)));
      const isExport = start === "" || start.startsWith('{"cairn_export"');
      return isExport ? importExport(data.store, key, all, signal) : importJson(data.store, key, all, signal);
    });
    if (values.json === true) writeJson(terminal.stdout, printed);
    else terminal.stdout.write(`${id}\n`);
    tell(terminal, remarks);
    return EXIT.ok;
  },
};

interface Done {
  readonly printed: object;
  readonly remarks: readonly string[];
}

async function importExport(store: OpenedStore, key: ConversationKey, file: ByteSource, signal: AbortSignal) {
  const info = await store.importConversation(key, file, { signal });
  const closed = await reportImport(store, key, info.last_seq);
  const { closed_turn, dropped_messages: dropped } = closed;
  const remark = `Open calls and turns in the file were closed; none of them will run. Waiting messages dropped: ${dropped}.`;
  return { printed: { ...info, ...closed }, remarks: closed_turn !== null || dropped > 0 ? [remark] : [] };
}

async function importJson(
  store: OpenedStore,
  key: ConversationKey,
  file: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Done> {
  const now = () => Date.now();
  const imported = await importMessages({ store, loadTokenizer, now }, await readJson(file), { key, signal });
  const info = await store.getConversation(key);
  return {
    printed: { ...info, ...imported },
    remarks: imported.losses.map(({ at, code, message }) => `${at}: ${code}: ${message}`),
  };
}

/** The limits of one line of an export apply here, too. */
const LIMITS = { values: 500_000, depth: 1_000 };

async function readJson(file: AsyncIterable<Uint8Array>): Promise<unknown> {
  const counter = new JsonCounter(LIMITS);
  const chunks: Uint8Array[] = [];
  for await (const chunk of file) {
    counter.add(chunk);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new CairnError("usage", "The file is neither an export of Cairn nor valid JSON in UTF-8.");
  }
}

const PEEKED_BYTES = 16;

/** The first characters that are not blank, and all bytes from the beginning. */
async function peek(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let read = Buffer.alloc(0);
  let start = "";
  while (start.length < PEEKED_BYTES) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    read = Buffer.concat([read, value]);
    start = read.toString("utf8").trimStart().slice(0, PEEKED_BYTES);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield read;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { start, all: all() };
}

const MAX_TOLD = 20;

function tell({ stderr }: Terminal, remarks: readonly string[]): void {
  for (const remark of remarks.slice(0, MAX_TOLD)) stderr.write(`${remark}\n`);
  if (remarks.length > MAX_TOLD) stderr.write(`… and ${remarks.length - MAX_TOLD} more; --json lists all.\n`);
}

async function openFile(path: string) {
  const { size } = await stat(path).catch(() => {
    throw new CairnError("not_found", `There is no file ${path}.`);
  });
  return { source: fileBytes(path), size };
}
