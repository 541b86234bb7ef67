/**
 * A turn of twelve rounds for tests that interrupt it: built-in tools and tools with external effects, some of which
 * may run twice and some of which may not; a plan that is updated; two calls at once; a failing tool; and messages that
 * arrive in the middle, one of which asks for structured output. The model's next answer depends only on its request.
 */
import { type AgentHooks, type AnyTool, defineTool, reactTools } from "@cairn/agent";
import type { JsonObject } from "@cairn/timeline";
import { z } from "zod";
import type { ModelRequest, Reply, Step } from "../models/index.ts";

/** Effects outside the process, which remain when the process crashes. */
export interface World {
  /** The points at which the process may crash. */
  pass(step: string): void;
  effect(name: string): void;
  /** A user's message from another process; messages with the same key are sent once. */
  say(key: string, message: string, mode: "steer" | "follow-up", output?: JsonObject): Promise<void>;
}

export const OPENING = "Please organise the party.";
export const STEERING = "Vegan cake, please.";
export const FOLLOW_UP = "Anything else?";
/** The answer that the follow-up asks for, as JSON. */
export const FOLLOW_UP_ANSWER = '{"more":false}';
export const LAST_WORDS = "The party is organised.";
export const ROUNDS = 12;
/** Tools that must not run twice. */
export const RISKY: ReadonlySet<string> = new Set(["shop.order", "shop.break", "react.patch"]);

const MORE: JsonObject = { type: "object", properties: { more: { type: "boolean" } }, required: ["more"] };

export function partyTools(world: World): readonly AnyTool[] {
  const act = (name: string) => {
    world.pass(`before ${name}`);
    world.effect(name);
    world.pass(`after ${name}`);
  };
  const what = z.object({ what: z.string() });
  return [
    ...reactTools(),
    defineTool({
      id: "shop.order",
      description: "Orders something.",
      params: what,
      run: async ({ what }) => {
        act(`order ${what}`);
        return { ok: true, error: null, ret: { ordered: what } };
      },
    }),
    defineTool({
      id: "shop.break",
      description: "Breaks something.",
      params: what,
      run: async ({ what }) => {
        act(`break ${what}`);
        throw new Error(`${what} is broken`);
      },
    }),
    defineTool({
      id: "shop.price",
      description: "Looks up a price.",
      params: what,
      idempotent: true,
      run: async ({ what }) => {
        act(`price ${what}`);
        return { ok: true, error: null, ret: { price: what.length } };
      },
    }),
    defineTool({
      id: "shop.ask",
      description: "Asks the guests.",
      params: z.object({}),
      idempotent: true,
      run: async () => {
        world.pass("before the guests are asked");
        await world.say("steering", STEERING, "steer");
        await world.say("follow-up", FOLLOW_UP, "follow-up", MORE);
        world.pass("after the guests are asked");
        return { ok: true, error: null, ret: "They like cake." };
      },
    }),
    defineTool({
      id: "shop.check",
      description: "Checks what became of an interrupted call.",
      params: z.object({}),
      idempotent: true,
      run: async () => ({ ok: true, error: null, ret: "Checked." }),
    }),
  ];
}

/** Hooks that change a call, and that add a text to a result, to a request and to each turn. */
export const partyHooks: AgentHooks = {
  beforeTurn: () => ({ notice: "Party rules." }),
  beforeRequest: ({ decisions }) => (decisions === 3 ? { notice: "Half an hour left." } : undefined),
  beforeTool: ({ params }) => (params.what === "balloons" ? { params: { what: "red balloons" } } : undefined),
  afterTool: ({ tool }) => (tool === "shop.price" ? { notice: "Prices may change." } : undefined),
  afterTurn: () => ({ notice: "Noted." }),
};

/** How often the texts of the hooks are in the conversation. */
export const HOOKED: Readonly<Record<string, number>> = {
  "Party rules.": 2,
  "Half an hour left.": 1,
  hook_changed_params: 1,
  "Prices may change.": 2,
  "Noted.": 2,
};

/** Answers every request of the turn, in whichever attempt it is made. */
export const partyScript: Step = { name: "party", reply: nextDecision, times: Number.POSITIVE_INFINITY };

function nextDecision({ texts }: ModelRequest): Reply {
  const shown = texts.join("\n");
  if (shown.includes("protocol_violation.bad_output"))
    return { calls: [{ name: "give_output", input: { output: JSON.parse(FOLLOW_UP_ANSWER) } }] };
  if (shown.includes(FOLLOW_UP)) return { text: '{"more":"no"}' };
  const interruptions = shown.match(/error tool_interrupted/g)?.length ?? 0;
  const checks = shown.match(/\[AI Agent say\]: Checking/g)?.length ?? 0;
  if (interruptions > checks) return { text: "Checking.", calls: [{ name: "shop__check", input: {} }] };
  const round = (shown.match(/\[AI Agent say\]: Round \d+/g)?.length ?? 0) + 1;
  if (round > ROUNDS) return { text: `${LAST_WORDS}\n\n✓ 3. Have it` };
  const { notes = "", calls } = decisionOf(round, shown);
  return { text: `Round ${round}.${notes}`, calls };
}

interface Scripted {
  readonly notes?: string;
  readonly calls: NonNullable<Extract<Reply, { calls?: unknown }>["calls"]>;
}

function decisionOf(round: number, shown: string): Scripted {
  const order = (what: string) => ({ name: "shop__order", input: { what } });
  const price = (what: string) => ({ name: "shop__price", input: { what } });
  const report = "files/report.md";
  switch (round) {
    case 1:
      return {
        calls: [{ name: "react__plan", input: { mode: "new", steps: ["Plan it", "Buy it", "Have it"] } }],
      };
    case 2:
      return { notes: "\n✓ [1] planned", calls: [order("tea")] };
    case 3:
      return { calls: [{ name: "react__write", input: { path: report, content: "# Party\n\nTea is ordered.\n" } }] };
    case 4:
      return { calls: [price("tea")] };
    case 5:
      return { calls: [{ name: "shop__ask", input: {} }] };
    case 6: {
      const patch = "@@ -3,1 +3,1 @@\n-Tea is ordered.\n+Tea is ordered, cake is not.\n";
      return { calls: [{ name: "react__patch", input: { path: report, patch } }] };
    }
    case 7:
      return { notes: "\n→ 2. buying", calls: [order("cake"), price("cake")] };
    case 8:
      return { calls: [{ name: "shop__break", input: { what: "glass" } }] };
    case 9: {
      const turn = /\[TURN (\S+)\]/.exec(shown)?.[1] ?? "";
      const paths = [`fi:${turn}.files/report.md`, `fi:${turn}.files/missing.md`, `ar:${turn}.user.prompt`];
      return { calls: [{ name: "react__read", input: { paths } }] };
    }
    case 10: {
      const path =
        shown
          .match(/^tc:\S+\.call$/gm)
          ?.at(-1)
          ?.replace(/call$/, "result") ?? "";
      return { calls: [{ name: "react__hide", input: { path, replacement_text: "the report, read again" } }] };
    }
    case 11:
      return {
        calls: [
          { name: "react__memsearch", input: { query: "party" } },
          { name: "react__search_files", input: { name: "*.md", text: "cake" } },
        ],
      };
    default:
      return { notes: "\n✓ 2) bought", calls: [order("balloons")] };
  }
}
