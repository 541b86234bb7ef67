/** One answer of the offline model, as the parts of a stream. */
import { setTimeout as sleep } from "node:timers/promises";
import { TITLE_INSTRUCTION } from "../gate/title.ts";
import type { ModelPart, ModelRequest } from "../model/model.ts";
import type { DocumentReading } from "../reader/read-document.ts";
import { decideOffline } from "./decide-offline.ts";
import { intentOf } from "./intent.ts";
import { isOwnWork } from "./passages.ts";
import { type ReadTimeline, readView } from "./read-view.ts";
import type { Listing, SearchPlace } from "./search-place.ts";
import type { OfflineDecision } from "./situation.ts";
import { summariseOffline } from "./summarise-offline.ts";
import { titleOffline } from "./title-offline.ts";

const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_BINARY = 1_500;
const PIECE = /[\s\S]{1,24}/gu;

type ReadDocument = (key: string, load: () => Promise<string>) => Promise<DocumentReading>;

export async function* streamDecision(
  request: ModelRequest,
  signal: AbortSignal,
  delayMs: number,
  place: SearchPlace | null,
  readDocument: ReadDocument,
): AsyncGenerator<ModelPart> {
  signal.throwIfAborted();
  const timeline = readView(request.view);
  const documents = await readDocuments(timeline, request, readDocument);
  signal.throwIfAborted();
  const offered = request.toolChoice === "none" ? [] : request.tools.map(({ name }) => name);
  const { text, calls }: OfflineDecision =
    request.instruction === undefined
      ? decideOffline({
          timeline,
          documents,
          offered: new Set(offered),
          place,
          listing: await listTitles(timeline, place, signal),
        })
      : { text: answerInstruction(request.instruction, timeline), calls: [] };
  let written = 0;
  for (const piece of text.match(PIECE) ?? []) {
    if (delayMs > 0) await sleep(delayMs, undefined, { signal });
    signal.throwIfAborted();
    written += piece.length;
    yield { type: "text", text: piece };
  }
  for (const [index, { name, params }] of calls.entries()) {
    yield { type: "call", index, name };
    for (const piece of JSON.stringify(params).match(PIECE) ?? []) {
      signal.throwIfAborted();
      written += piece.length;
      yield { type: "params", index, text: piece };
    }
  }
  const usage = { input: inputTokens(request), output: tokensOf(written), cacheRead: 0, cacheWrite: 0 };
  yield { type: "finish", reason: calls.length > 0 ? "calls" : "stop", usage };
}

function answerInstruction(instruction: string, timeline: ReadTimeline): string {
  return instruction === TITLE_INSTRUCTION ? titleOffline(timeline) : summariseOffline(timeline);
}

/** The titles of the library, if the message asks for them. */
async function listTitles(
  { turns }: ReadTimeline,
  place: SearchPlace | null,
  signal: AbortSignal,
): Promise<Listing | null> {
  if (place?.titles === undefined || intentOf(turns.at(-1)?.prompts.at(-1) ?? "").kind !== "library") return null;
  try {
    return await place.titles({ signal });
  } catch (error) {
    signal.throwIfAborted();
    // The error message becomes part of the answer.
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

async function readDocuments(
  { turns }: ReadTimeline,
  { readBlob }: ModelRequest,
  readDocument: ReadDocument,
): Promise<Map<string, DocumentReading>> {
  const documents = new Map<string, DocumentReading>();
  const held = turns.flatMap(({ attachments, findings }) => [
    ...attachments,
    ...findings.filter((finding) => !isOwnWork(finding)),
  ]);
  for (const { path, binary } of held) {
    if (binary?.type !== "document") continue;
    const { data, blob } = binary;
    if (data !== undefined) documents.set(path, await readDocument(data, async () => data));
    else if (blob !== undefined) documents.set(path, await readDocument(blob, () => readBlob(blob)));
  }
  return documents;
}

function inputTokens({ system, tools, view, instruction = "" }: ModelRequest): number {
  let characters = system.length + instruction.length + JSON.stringify(tools).length;
  let binaries = 0;
  for (const message of view)
    if (message.type === "text") characters += message.text.length;
    else binaries++;
  return tokensOf(characters) + binaries * TOKENS_PER_BINARY;
}

function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
