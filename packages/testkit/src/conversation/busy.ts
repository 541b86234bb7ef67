/**
 * Busy conversations for laws of the wire form: decisions with parallel calls that settle in any order, some of them
 * late or never, pictures, approvals that were denied, steering messages, violations, and everything that changes what
 * was already shown: hides, prunes, clips and compactions; restarts, forks and changes of the model or the lowering in
 * between. Calls and answers have sealed reasoning of either model.
 */
import type { Block } from "@cairn/timeline";
import fc from "fast-check";
import { hostileText } from "./generate.ts";
import * as make from "./rounds.ts";

/** One step: blocks that arrive together before the next request, or maintenance before it. */
export type Move =
  | { readonly do: "append"; readonly blocks: readonly Block[] }
  /** `nth`: which of the paths so far, counted from the end. */
  | { readonly do: "hide"; readonly nth: number }
  /** From this step on, requests are sent to this model, in this form. */
  | { readonly do: "switch"; readonly model: BusyModel; readonly isFlat: boolean }
  | { readonly do: "prune" | "clip" | "compact" | "restart" | "fork" };

export type BusyModel = "model:one" | "model:two";

interface GeneratedCall {
  readonly output: string;
  readonly kind: "plain" | "picture" | "code" | "denied" | "cut";
  readonly settles: "now" | "late" | "never";
  readonly reasonedBy: BusyModel | null;
}

const models = fc.constantFrom<BusyModel>("model:one", "model:two");

const call: fc.Arbitrary<GeneratedCall> = fc.record({
  output: hostileText,
  kind: fc.constantFrom("plain", "plain", "picture", "code", "denied", "cut"),
  settles: fc.oneof({ weight: 8, arbitrary: fc.constant("now" as const) }, fc.constantFrom("late", "never")),
  reasonedBy: fc.option(models, { nil: null }),
});

const decision = fc.record({
  kind: fc.constant("decision" as const),
  notes: fc.option(hostileText, { nil: null }),
  calls: fc.oneof(
    { weight: 8, arbitrary: fc.array(call, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(call, { minLength: 24, maxLength: 32 }) },
  ),
  reversed: fc.boolean(),
});

const other = fc.record({
  kind: fc.constantFrom("steer", "violation", "note", "hide", "prune", "clip", "compact", "restart", "fork", "switch"),
  text: hostileText,
  model: models,
  isFlat: fc.boolean(),
  nth: fc.nat({ max: 12 }),
});

const turn = fc.record({
  prompt: hostileText,
  steps: fc.array(fc.oneof({ weight: 3, arbitrary: decision }, { weight: 2, arbitrary: other }), { maxLength: 6 }),
  answer: fc.option(hostileText, { nil: null }),
  reasonedBy: fc.option(models, { nil: null }),
});

export function busyConversations(maxTurns = 3): fc.Arbitrary<Move[]> {
  return fc.array(turn, { minLength: 1, maxLength: maxTurns }).map((turns) => turns.flatMap(movesOf));
}

const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function movesOf({ prompt, steps, answer, reasonedBy }: GeneratedTurn, index: number): Move[] {
  const id = `turn_${index + 1}`;
  const append = (blocks: readonly Block[]): Move => ({ do: "append", blocks });
  const moves = [append([make.header(id), make.prompt(id, prompt)])];
  let late: Block[] = [];
  for (const [iteration, step] of steps.entries()) {
    if (step.kind === "decision") {
      const { blocks, later } = blocksOf(id, iteration, step);
      moves.push(append(blocks));
      // Adds results of the previous decision that arrive after its calls were given up.
      if (late.length > 0) moves.push(append(late));
      late = later;
      continue;
    }
    const { kind, text, nth, model, isFlat } = step;
    if (kind === "steer") moves.push(append([make.prompt(id, text, iteration + 2)]));
    else if (kind === "violation")
      moves.push(
        append([
          { type: "react.decision.raw", turn_id: id, text },
          { type: "react.notice", turn_id: id, path: `ar:${id}.react.notice.${iteration}`, text: `{"code":"x"}` },
        ]),
      );
    else if (kind === "note") moves.push(append([{ type: "react.note", turn_id: id, text }]));
    else if (kind === "switch") moves.push({ do: kind, model, isFlat });
    else moves.push(kind === "hide" ? { do: kind, nth } : { do: kind });
  }
  if (answer !== null)
    moves.push(append([withReasoning(make.completion(id, answer), reasonedBy), make.followups(id, ["More?"])]));
  if (late.length > 0) moves.push(append(late));
  return moves;
}

/** `later`: results that arrive after their calls were given up. */
function blocksOf(turn: string, iteration: number, { notes, calls, reversed }: GeneratedDecision) {
  const places = calls.map((_, nth) => ({ turn, call: `tc_${iteration}_${nth}`, iteration }));
  const first = places[0];
  const blocks: Block[] = first === undefined || notes === null ? [] : [make.notes(first, notes)];
  const results: Block[][] = [];
  const later: Block[] = [];
  for (const [nth, at] of places.entries()) {
    const { kind, output, settles, reasonedBy } = calls[nth] ?? EMPTY_CALL;
    if (kind === "code") blocks.push(make.code(at, output));
    const params = kind === "cut" ? { n: nth, content: "cut" } : { n: nth };
    const made = withReasoning(make.call(at, `tool.${kind}`, params), reasonedBy);
    blocks.push(
      kind === "cut" ? { ...made, meta: { ...made.meta, cut_params: { content: `fi:${turn}.files/x.md` } } } : made,
    );
    const found =
      kind === "picture"
        ? make.file(at, { name: `p${nth}.png`, mime: "image/png", base64: PICTURE })
        : kind === "denied"
          ? [make.notice(at, "tool_call_error", output), make.digest(at, { error: { code: "approval_denied" } })]
          : [make.result(at, output, "text/plain")];
    if (settles === "now") results.push(found);
    else if (settles === "late") later.push(...found);
  }
  return { blocks: [...blocks, ...(reversed ? results.toReversed() : results).flat()], later };
}

const EMPTY_CALL: GeneratedCall = { kind: "plain", output: "", settles: "now", reasonedBy: null };

/** The block with sealed reasoning as a provider would want it back. */
function withReasoning(block: Block, model: BusyModel | null): Block {
  if (model === null) return block;
  const piece = { text: `Thought of ${block.path}.`, options: { anthropic: { signature: "seal" } }, after: 0 };
  return { ...block, meta: { ...block.meta, reasoning: { model, pieces: [piece] } } };
}

type GeneratedTurn = typeof turn extends fc.Arbitrary<infer T> ? T : never;
type GeneratedDecision = typeof decision extends fc.Arbitrary<infer T> ? T : never;
