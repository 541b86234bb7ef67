/**
 * Calls a tool as a turn does, on a real timeline and a real folder, and returns the blocks that the call wrote. Blobs
 * are kept in memory; the clock is fixed.
 */
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BlobRef, type Block, debugPrint, Timeline } from "@cairn/timeline";
import { Asking } from "../src/tool/question.ts";
import { runCall } from "../src/tool/run-call.ts";
import { sourcesSeen } from "../src/tool/sources-seen.ts";
import { resolveWithMeta, stateLookups } from "../src/tool/state-lookups.ts";
import type { AnyTool, PastTurn, SearchFound, ToolContext } from "../src/tool/tool.ts";
import { createScribe } from "../src/tool/write-scribe.ts";
import { latestOfBytes } from "../src/workspace/latest-file.ts";
import { openWorkspace } from "../src/workspace/open-workspace.ts";
import type { Workspace } from "../src/workspace/workspace.ts";

const NOW = Date.parse("2026-02-09T02:14:33.000Z");

export interface BenchCall {
  readonly blocks: readonly Block[];
  readonly outcome: "ok" | "error";
}

export class ToolBench implements AsyncDisposable {
  readonly timeline = Timeline.create({ clock: { now: () => NOW }, countTokens: (text) => Math.ceil(text.length / 4) });
  readonly blobs = new Map<BlobRef, Uint8Array>();
  readonly folder: string;
  #workspace: Workspace | null = null;
  /** Files that are not in the workspace yet and can be pulled. */
  readonly remote = new Map<string, Uint8Array>();
  found: readonly SearchFound[] = [];
  pastTurns: readonly PastTurn[] = [];
  hostingFails = false;
  turnId = "turn_1";
  #calls = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<ToolBench> {
    const bench = new ToolBench(await mkdtemp(join(tmpdir(), "cairn-tools-")));
    await bench.openWorkspace("out");
    bench.openTurn("turn_1");
    return bench;
  }

  /** Opens a different workspace folder, as on another machine. */
  async openWorkspace(name: string): Promise<void> {
    this.#workspace = await openWorkspace({
      root: join(this.folder, name),
      key: { tenant: "t", project: "p", user: "u", conversation: "c" },
      findLatest: async (path) => {
        const bytes = this.remote.get(path);
        return bytes === undefined ? null : latestOfBytes(bytes);
      },
      putBlob: async (source) => {
        if (this.hostingFails) throw new Error("no space left");
        const chunks: Uint8Array[] = [];
        for await (const chunk of source) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        const ref: BlobRef = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
        this.blobs.set(ref, bytes);
        return { ref, size: bytes.length };
      },
    });
  }

  get workspace(): Workspace {
    if (this.#workspace === null) throw new Error("the bench has no workspace yet");
    return this.#workspace;
  }

  openTurn(turnId: string): void {
    this.turnId = turnId;
    this.timeline.openTurn(turnId);
  }

  context(callId: string, toolId: string): ToolContext {
    return {
      ...stateLookups(this.timeline.state),
      sourcesSeen: sourcesSeen(this.timeline.state.pool),
      conversation: "c1",
      context: {},
      owner: { tenant: "t", project: "p", user: "u" },
      turnId: this.turnId,
      callId,
      toolId,
      signal: new AbortController().signal,
      workspace: this.workspace,
      now: () => NOW,
      countTokens: (text) => Math.ceil(text.length / 4),
      resolve: async (path) => resolveWithMeta(this.timeline.state, path),
      turns: async () => this.pastTurns,
      turnsElsewhere: async () => [],
      search: async (_, { accepts = () => true, limit, since = Number.NEGATIVE_INFINITY, until = Infinity }) =>
        this.found
          .filter((found) => accepts(found) && Date.parse(found.ts) >= since && Date.parse(found.ts) < until)
          .slice(0, limit),
      progress: () => undefined,
    };
  }

  /** The blocks of one call after the call block itself. */
  async call(tool: AnyTool, params: unknown): Promise<BenchCall> {
    const { finish } = await this.start(tool, params);
    return finish();
  }

  /** Runs a call and lets the test decide when it settles. */
  async start(tool: AnyTool, params: unknown): Promise<{ readonly finish: () => BenchCall }> {
    const callId = `tc_${++this.#calls}`;
    const { turnId } = this;
    const shown = tool.shownParams?.(params, { turnId, callId }) ?? params;
    const text = JSON.stringify({
      tool_id: tool.id,
      tool_call_id: callId,
      params: shown,
      ts: new Date(NOW).toISOString(),
    });
    const meta = { tool_call_id: callId, iteration: this.#calls };
    const path = `tc:${turnId}.${callId}.call`;
    this.timeline.contribute([
      { type: "react.tool.call", turn_id: turnId, path, mime: "application/json", text, meta },
    ]);
    const run = await runCall(tool, params, this.context(callId, tool.id));
    if (run instanceof Asking) throw new Error(`The tool asked: ${run.question.message}`);
    const { settle } = run;
    return {
      finish: () => {
        const before = this.timeline.state.window.length;
        const { scribe, finish } = createScribe({
          timeline: this.timeline,
          turnId,
          callId,
          toolId: tool.id,
          iteration: this.#calls,
          now: () => NOW,
        });
        settle(scribe);
        const outcome = finish();
        return { blocks: this.timeline.state.window.slice(before).map((entry) => entry.block), outcome };
      },
    };
  }

  /** The model's view of the latest call, or of everything after `from`. */
  view(from = `[TOOL CALL tc_${this.#calls}]`): string {
    const view = debugPrint(this.timeline.render({ strategy: "seed" }).messages()).replaceAll(/=>\[\d\]\n\n/g, "");
    return view.slice(Math.max(0, view.indexOf(from)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Path and content of each block, to compare sequences. */
export function outline(blocks: readonly Block[]): string[] {
  return blocks.map((block) => `${block.type} ${block.path ?? ""} ${block.mime ?? ""}`.trim());
}

/** The JSON in a block's text. */
export function json(block: Block | undefined): Record<string, unknown> {
  return JSON.parse(block?.text ?? "null") as Record<string, unknown>;
}

/** The status that a read shows first. */
export function statusOf(blocks: readonly Block[]): Record<string, unknown> {
  return json(blocks.find((block) => block.mime === "application/json" && block.type === "react.tool.result"));
}
