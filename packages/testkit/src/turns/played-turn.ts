/**
 * A turn as a test reads it: its stored blocks, and the next request, with turns named `T1`, `T2`… and calls `C1`,
 * `C2`… in the order they appear, and without times.
 */
import type { Block, JsonObject } from "@cairn/timeline";
import type { MessageReply, Reply } from "../models/index.ts";
import type { TurnBench } from "./turn-bench.ts";

export interface PlayedTurn {
  readonly blocks: readonly Block[];
  /** Type and path of each block, without those of the turn's frame (header, prompt, answer, exit). */
  readonly sequence: readonly string[];
  /** The JSON or the text of the blocks of a kind, in order: `react.tool.result tc:T1.C1.result`. */
  readonly contents: (line: string) => readonly unknown[];
  /** The request of the turn's last decision, as text. */
  readonly shown: string;
}

/** A decision to call one tool, by its name in the registry. */
export function callOf(tool: string, input: JsonObject, text?: string): MessageReply {
  return { ...(text === undefined ? {} : { text }), calls: [{ name: tool.replaceAll(".", "__"), input }] };
}

const FRAME = new Set(["turn.header", "user.prompt", "assistant.completion", "react.exit"]);

/**
 * Plays a turn in which the model makes the given decisions, then answers. `{turn}` and `{call}` are replaced by the
 * latest ids.
 */
export async function playTurn(bench: TurnBench, replies: readonly Reply[], message = "Go on."): Promise<PlayedTurn> {
  const before = (await bench.store.load(bench.key)).state.nextPosition;
  const fill = (reply: Reply) => (request: { readonly texts: readonly string[] }) => fillIn(reply, request.texts);
  bench.simulator.script([...replies.map((reply) => ({ reply: fill(reply) })), { reply: { text: "Done." } }]);
  await bench.turn(message);
  const refused = bench.simulator.requests.find(({ status, step }) => status !== 200 && step === null);
  if (refused !== undefined) throw new Error(`A request was refused: ${refused.refusal}`);
  const stored = (await bench.store.readEvents(bench.key, { limit: 10_000 })).flatMap(({ event }) =>
    !("unknown" in event) && event.kind === "block.appended" ? [event.body] : [],
  );
  const name = nameIds(JSON.stringify(stored));
  const own = stored.filter(({ position }) => position >= before).map(({ block }) => block);
  const blocks: Block[] = JSON.parse(name(JSON.stringify(own)));
  const request = bench.simulator.requests.at(-1)?.request;
  const line = ({ type, path = "" }: Block) => `${type} ${path}`.trim();
  return {
    blocks,
    sequence: blocks.filter(({ type }) => !FRAME.has(type)).map(line),
    contents: (wanted) => blocks.filter((block) => line(block) === wanted).map(({ text = "" }) => parse(text)),
    shown: name(request?.texts.join("\n") ?? ""),
  };
}

/** Numbers ids by their first appearance in `text`. */
function nameIds(text: string): (text: string) => string {
  const names = new Map<string, string>();
  for (const [kind, ids] of [
    ["T", text.matchAll(/turn_\d+/g)],
    ["C", text.matchAll(/(?<=tc_)[0-9a-f]{12}/g)],
  ] as const)
    for (const [id] of ids)
      if (!names.has(id))
        names.set(id, `${kind}${[...names.values()].filter((name) => name.startsWith(kind)).length + 1}`);
  return (given) =>
    given
      .replace(/turn_\d+/g, (id) => names.get(id) ?? id)
      .replace(/(tc_|plan_)([0-9a-f]{12})/g, (all, prefix: string, id: string) => {
        const named = names.get(id);
        return named === undefined ? all : prefix === "tc_" ? named : `plan_${named}`;
      })
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time");
}

/** Fills ids into a script, which is written before they exist. The model reads them from its request. */
function fillIn(reply: Reply, texts: readonly string[]): Reply {
  const shown = texts.join("\n");
  const turn = shown.match(/(?<=\[TURN )\S+(?=\])/g)?.at(-1) ?? "";
  const call = shown.match(/(?<=\[TOOL CALL )\S+(?=\])/g)?.at(-1) ?? "";
  const first = shown.match(/(?<=\[TURN )\S+(?=\])/)?.[0] ?? "";
  const filled = JSON.stringify(reply)
    .replaceAll("{turn}", turn)
    .replaceAll("{first}", first)
    .replaceAll("{call}", call);
  return JSON.parse(filled) as Reply;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // A block's text need not be JSON.
  }
}
