/**
 * One conversation with every feature, the same for every back end: each tool of the agent, received and generated
 * pictures and documents, a tool of an MCP server, a message during a turn, a consent, a cancellation, and a run that
 * is interrupted in the middle of a turn.
 */
import { type AnyTool, answerApproval, defineTool, type Model, type TurnOutcome, type TurnSignal } from "@cairn/agent";
import { type JsonObject, type KnownEvent, makeEvent } from "@cairn/timeline";
import type { ServerName } from "cairn-agent/testing/wire";
import { z } from "zod";
import { gradientPng } from "../documents/gradient-png.ts";
import { onePagePdf } from "../documents/one-page-pdf.ts";
import type { MessageReply } from "../models/index.ts";
import { callOf, playTurn } from "./played-turn.ts";
import { TurnBench } from "./turn-bench.ts";

export interface WholeConversation {
  readonly bench: TurnBench;
  /** Ids of the tools that were called. */
  readonly called: ReadonlySet<string>;
  /** How each turn of the conversation ended. */
  readonly exits: readonly string[];
}

const TS = "2026-02-09T10:00:01Z";
const REPORT = "# Rescue\n\nThe team is called out about thirty times a year [[S:1]].\n";
const FORMATS = ["pdf", "png", "docx", "pptx"] as const;
const PYTHON = 'import os\nopen(os.path.join(OUTPUT_DIR, "{turn}/files/sum.txt"), "w").write(str(2 + 3))\nprint(5)\n';

/** The caller closes the bench. `tools`: the tools of the agent. */
export async function playWholeConversation(
  instructions: string,
  tools: readonly AnyTool[],
  model: (baseUrl: string) => Promise<Model>,
  servers: readonly ServerName[],
): Promise<WholeConversation> {
  const bench = await TurnBench.open({
    model,
    simulator: { server: servers },
    agent: { instructions, tools: [...tools, orderTool(() => bench)] },
  });
  const exits: string[] = [];
  const play = async (message: string, ...replies: readonly MessageReply[]) => {
    await playTurn(bench, replies, message);
    await consent(bench);
    exits.push(await lastExit(bench));
  };
  await playReport(play);
  await bench.attach("view.png", "image/png", gradientPng(8, 8, [200, 40, 40], [40, 40, 200]));
  await bench.attach("plan.pdf", "application/pdf", onePagePdf(["A plan."]));
  await play("What do you see?", callOf("react.read", { paths: ["fi:{first}.files/report.pdf"] }));
  await play("Find tea.", callOf("mcp.shop.find", { input: { name: "tea" } }));
  exits.push(await playConsent(bench), await playCancel(bench), await playDeath(bench));
  return { bench, called: await calledTools(bench), exits };
}

async function playReport(play: (message: string, ...replies: MessageReply[]) => Promise<void>): Promise<void> {
  const call = (tool: string, input: JsonObject) => ({ name: tool.replaceAll(".", "__"), input });
  const report = { path: "{turn}/files/report.md", channel: "canvas", kind: "file" };
  await play(
    "Write a report on rescue, in every format.",
    {
      text: "Looking for sources.",
      calls: [
        call("react.plan", { mode: "new", steps: ["Search", "Write"] }),
        call("react.note", { kind: "tone", text: "Be brief." }),
        call("web_tools.web_search", { queries: ["mountain rescue team"], n: 2 }),
        call("web_tools.web_fetch", { urls: ["corpus:///mountain-rescue.md"] }),
      ],
    },
    callOf("react.write", { ...report, content: REPORT }),
    {
      calls: [
        call("react.patch", { path: report.path, patch: `${REPORT}\nThat is all.\n` }),
        call("react.search_files", { name: "*.md" }),
        call("react.memsearch", { query: "rescue" }),
        call("exec_tools.execute_code_python", { contract: ["{turn}/files/sum.txt"], code: PYTHON }),
        call("exec_tools.execute_code_js", { contract: [], code: "console.log(2 + 3)" }),
        ...FORMATS.map((format) =>
          call(`rendering_tools.write_${format}`, {
            path: `{turn}/files/report.${format}`,
            content: "ref:fi:{turn}.files/report.md",
          }),
        ),
      ],
    },
    callOf("react.hide", { path: "tc:{turn}.{call}.result", replacement_text: "a document" }),
  );
}

/** A tool with an effect, which needs approval. While it runs, the user sends another message. */
function orderTool(bench: () => TurnBench): AnyTool {
  return defineTool({
    id: "shop.order",
    description: "Orders something.",
    params: z.object({ what: z.string() }),
    approval: "always",
    run: async ({ what }) => {
      await bench().say("And make it green.", "steer");
      return { ok: true, ret: { ordered: what } };
    },
  });
}

async function playConsent(bench: TurnBench): Promise<string> {
  bench.simulator.script([{ reply: callOf("shop.order", { what: "tea" }) }, { reply: { text: "Green tea it is." } }]);
  await bench.turn("Order tea.");
  await consent(bench);
  return lastExit(bench);
}

/** Approves the call that the turn waits for, and continues. */
async function consent(bench: TurnBench): Promise<void> {
  const { state } = await bench.store.load(bench.key);
  if (state.approvalsRequested.size === 0) return;
  for (const asked of state.approvalsRequested.values())
    await bench.append(makeEvent("approval.given", answerApproval(bench.key, asked, { approve: true, ts: TS })));
  await bench.run();
}

async function playCancel(bench: TurnBench): Promise<string> {
  const before = bench.simulator.requests.length;
  bench.simulator.script([{ reply: { text: "Once upon a time. ".repeat(20), interrupt: { after: 4, by: "stall" } } }]);
  const heard = bench.signals.length;
  await bench.say("Tell a story.");
  const running = bench.run();
  await until(() => bench.signals.slice(heard).some(({ type }) => type === "delta"));
  await bench.append(makeEvent("cancel.requested", { key: "stop", ts: TS }));
  const exit = exitOf(await running);
  return bench.simulator.requests.length > before ? exit : "not asked";
}

/** The run is interrupted while the model answers, as when a process is stopped; another continues the turn. */
async function playDeath(bench: TurnBench): Promise<string> {
  const death = new AbortController();
  bench.simulator.script([{ reply: { text: "I was about to say. ".repeat(20) } }, { reply: { text: "Here it is." } }]);
  await bench.say("Are you there?");
  const listener = ({ type }: TurnSignal) => {
    if (type === "delta") death.abort();
  };
  const died = await bench.run({ signal: death.signal, listener }).then(
    () => false,
    () => death.signal.aborted,
  );
  return died ? exitOf(await bench.run()) : "did not die";
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function exitOf(outcome: TurnOutcome): string {
  return outcome.status === "ended" ? outcome.end.exit : outcome.status;
}

async function lastExit(bench: TurnBench): Promise<string> {
  const closed = (await eventsOf(bench)).findLast((event) => event.kind === "turn.closed");
  return closed?.kind === "turn.closed" ? closed.body.exit : "none";
}

async function calledTools(bench: TurnBench): Promise<Set<string>> {
  const events = await eventsOf(bench);
  return new Set(events.flatMap((event) => (event.kind === "call.started" ? [event.body.tool_id] : [])));
}

async function eventsOf({ store, key }: TurnBench): Promise<KnownEvent[]> {
  const events = await store.readEvents(key, { limit: 10_000 });
  return events.flatMap(({ event }) => ("unknown" in event ? [] : [event]));
}
