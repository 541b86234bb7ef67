/**
 * For tests: turns in which the agent keeps content internal in every possible way, one for each way a turn may end.
 * Internal content holds canaries: words that occur nowhere else.
 */
import { randomBytes } from "node:crypto";
import { type AgentDefinition, defineAgent, defineTool, type Model, reactTools } from "@cairn/agent";
import type { JsonObject } from "@cairn/timeline";
import { z } from "zod";
import type { MessageReply, Step } from "../models/index.ts";

/** How a turn ends, or that it is still open. */
export const CANARY_EXITS = ["complete", "cancelled", "error", "budget", "waiting", "resumed"] as const;
export type CanaryExit = (typeof CANARY_EXITS)[number];

const send = defineTool({
  id: "shop.send",
  description: "Sends words.",
  params: z.object({ words: z.string() }),
  approval: "always",
  run: async () => ({ ok: true, ret: "sent" }),
});

/** A budget of more tokens than a turn uses before its long answer, and fewer than it uses with the answer. */
const TOKENS = 60_000;
const LONG = "Slowly, in many words. ".repeat(6_000);

export function canaryAgents(model: Model, gate: Model): readonly AgentDefinition[] {
  const common = { instructions: "You help.", model, gate: { model: gate }, tools: [...reactTools(), send] };
  return [
    defineAgent({ ...common, name: "ample" }),
    defineAgent({ ...common, name: "tight", budgets: { tokens: TOKENS } }),
  ];
}

/** Random words, each with the name of the place where it was hidden. */
export class Canaries {
  readonly #words = new Map<string, string>();

  hide(where: string): string {
    const word = this.#words.get(where) ?? `canary${randomBytes(8).toString("hex")}`;
    this.#words.set(where, word);
    return word;
  }

  get places(): readonly string[] {
    return [...this.#words.keys()];
  }

  wordsIn(text: string): readonly string[] {
    return [...this.#words.values()].filter((word) => text.includes(word));
  }

  /** The places into which the canaries that occur in this text were put. */
  foundIn(text: string): readonly string[] {
    return [...this.#words].flatMap(([where, word]) => (text.includes(word) ? [where] : []));
  }
}

/** The model's answers in a turn with this end. */
export function canarySteps(canaries: Canaries, exit: CanaryExit): readonly Step[] {
  const hidden = (where: string) => `${canaries.hide(`${exit}: ${where}`)} is a word for the model alone.`;
  const call = (name: string, input: JsonObject) => ({ name: `react__${name}`, input });
  const note = hidden("note");
  const patch = (old: string, next: string) => `@@ -1 +1 @@\n-${old}\n+${next}\n`;
  const steps: MessageReply[] = [
    {
      text: "I keep a note.",
      calls: [
        call("write", { path: "files/note.md", channel: "internal", content: `${note}\n` }),
        call("write", { content: `${hidden("note, text first")}\n`, path: "files/late.md", channel: "internal" }),
        call("write", { path: "files/open.md", channel: "canvas", content: "Tea is green.\n" }),
        call("write", { path: "files/turned.md", channel: "canvas", content: "Tea is red.\n" }),
      ],
    },
    {
      calls: [
        call("patch", { path: "files/note.md", patch: patch(note, hidden("patch")) }),
        call("patch", { path: "files/open.md", patch: patch("Tea is green.", "Tea is black.") }),
      ],
    },
    { calls: [call("patch", { path: "files/note.md", patch: patch(hidden("patch that fails"), "x") })] },
    // Calls of one decision run at the same time, while the timeline still says that everybody may see the file.
    {
      calls: [
        call("write", { path: "files/turned.md", channel: "internal", content: `${hidden("open file, turned")}\n` }),
        call("patch", { path: "files/turned.md", patch: patch(hidden("open file, turned"), hidden("its patch")) }),
        call("read", { paths: ["fi:TURN.files/turned.md"] }),
        call("search_files", { text: "for the model" }),
      ],
    },
    { calls: [call("write", { path: "files/bad.md", channel: "internal", content: [hidden("refused decision")] })] },
    {
      calls: [
        call("read", { paths: ["fi:TURN.files/note.md", "fi:TURN.files/late.md@v1", "fi:TURN.files/open.md"] }),
        call("memsearch", { query: "a word for the model alone; tea" }),
        call("search_files", { text: "for the model" }),
      ],
    },
    { calls: [call("write", { path: "files/last.md", channel: "internal", content: hidden("note to hide") })] },
    { calls: [call("hide", { path: "fi:TURN.files/last.md", replacement_text: hidden("words for what is hidden") })] },
    // A call with content that cannot be shown cannot be approved, so it is refused.
    { calls: [{ name: "shop__send", input: { words: "ref:fi:TURN.files/note.md" } }] },
  ];
  const underWay: MessageReply = {
    text: "One more.",
    calls: [
      call("write", { content: `${hidden("note under way")}\n`, path: "files/more.md", channel: "internal" }),
      call("write", { path: "files/slow.md", channel: "canvas", content: "Slowly, in many words. ".repeat(50) }),
    ],
  };
  const stalled: MessageReply = { ...underWay, interrupt: { after: 30, by: "stall" } };
  const last: Record<CanaryExit, () => readonly Step[]> = {
    complete: () => [
      { reply: { fault: "context_limit" } },
      {
        when: ({ texts }) => texts.some((text) => /Summarise (?:the conversation|in at most|it)/.test(text)),
        reply: { text: hidden("summary") },
        times: Number.POSITIVE_INFINITY,
      },
      { reply: underWay },
      { reply: { text: "Done." } },
    ],
    cancelled: () => [{ reply: stalled }],
    error: () => [{ reply: { fault: "status", status: 400, message: "No." } }],
    budget: () => [
      {
        reply: {
          text: "One more.",
          pieceSize: 20_000,
          calls: [
            call("write", { content: hidden("note under way"), path: "files/more.md", channel: "internal" }),
            call("write", { path: "files/slow.md", channel: "canvas", content: LONG }),
          ],
        },
      },
      { reply: { text: "That is all." } },
    ],
    waiting: () => [
      { reply: { calls: [...(underWay.calls ?? []), { name: "shop__send", input: { words: "Hello" } }] } },
    ],
    resumed: () => [{ reply: stalled }, { reply: underWay }, { reply: { text: "Done." } }],
  };
  return [...steps.map((reply): Step => ({ reply })), ...last[exit]()].map(withTurn);
}

/** `TURN` in the model's answers is replaced by the current turn. */
function withTurn({ reply, ...step }: Step): Step {
  return {
    ...step,
    reply: (request) => {
      const turn = [...request.texts.join("\n").matchAll(/\[TURN (turn_\w+)\]/g)].at(-1)?.[1] ?? "turn_none";
      return JSON.parse(JSON.stringify(reply).replaceAll("TURN", turn));
    },
  };
}
