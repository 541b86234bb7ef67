/** A conversation with the offline model, without a store. */
import { make } from "@cairn/testkit/conversation";
import { type Block, type SourceInput, Timeline } from "@cairn/timeline";
import type { ModelRequest } from "../src/model/model.ts";
import { offlineModel } from "../src/offline/offline-model.ts";
import type { SearchPlace } from "../src/offline/search-place.ts";
import { askForDecision } from "../src/protocol/ask-model.ts";
import { decisionTools } from "../src/protocol/protocol-tools.ts";
import type { DocumentReading } from "../src/reader/read-document.ts";

export const MENU = `# Menu of the Golden Goose

Opening hours: Tuesday to Sunday from noon to ten in the evening.
The tasting menu costs 89 euros a person and has seven courses.
Dogs are welcome on the terrace. The kitchen closes at nine.

Reservations are taken by telephone only.`;
export const LETTER =
  "The landlord raises the rent of the Golden Goose by five percent in March.\nThe lease ends in 2031.";

type CallContext = Parameters<typeof make.notes>[0];

const TOOLS = ["react.read", "react.write", "react.plan", "react.memsearch"];
export const ALL_TOOLS = [
  ...[...TOOLS, "web_tools.web_search", "web_tools.web_fetch", "exec_tools.execute_code_python"],
  ...["pdf", "docx", "pptx", "png"].map((format) => `rendering_tools.write_${format}`),
];
const specsOf = (names: readonly string[]) =>
  decisionTools(names.map((name) => ({ name, description: name, schema: { type: "object" } })));

/** A conversation in which simulated tools answer as the real tools do. */
export class Desk {
  readonly timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => Math.ceil(text.length / 4) });
  readonly files = new Map<string, string>();
  readonly written = new Map<string, string>();
  readonly notes: string[] = [];
  place: SearchPlace | null = null;
  #turns = 0;
  #calls = 0;
  readPdf = async (bytes: Uint8Array): Promise<DocumentReading> => ({ text: Buffer.from(bytes).toString() });

  readonly tools: readonly string[];
  readonly reply: (tool: string) => string;

  /** `reply`: the answer of a tool that is not simulated here. */
  constructor(tools: readonly string[] = TOOLS, reply = (_tool: string): string => JSON.stringify({ hits: [] })) {
    this.tools = tools;
    this.reply = reply;
  }

  /** Sends a message and lets the model decide until it answers. */
  async say(message: string, attachments: Record<string, string> = {}) {
    const turn = `turn_${++this.#turns}`;
    const blocks: Block[] = [make.header(turn), make.prompt(turn, message)];
    const sources: SourceInput[] = [];
    for (const [name, text] of Object.entries(attachments)) {
      const mime = name.endsWith(".pdf") ? "application/pdf" : name.endsWith(".png") ? "image/png" : "text/plain";
      const base64 = Buffer.from(text).toString("base64");
      blocks.push(...make.attachment(turn, { name, mime, ...(mime === "text/plain" ? {} : { base64 }) }));
      const path = `fi:${turn}.user.attachments/${name}`;
      this.files.set(path, text);
      const physical_path = `${turn}/attachments/${name}`;
      sources.push({ source_type: "attachment", title: name, artifact_path: path, physical_path, mime, size_bytes: 9 });
    }
    this.timeline.contribute(blocks);
    this.timeline.mergeSources(sources);
    const calls: string[] = [];
    for (let iteration = 1; iteration <= 12; iteration++) {
      const decision = await this.decide(iteration);
      if (decision.kind === "answer") {
        this.timeline.contribute([make.completion(turn, decision.text)]);
        return { text: decision.text, calls, followups: decision.followups, turn };
      }
      if (decision.kind !== "calls") throw new Error(JSON.stringify(decision));
      for (const [nth, { toolId, params }] of decision.calls.entries()) {
        calls.push(toolId);
        const at = { turn, call: `tc_${++this.#calls}`, iteration };
        if (nth === 0) this.timeline.contribute([make.notes(at, decision.notes)]);
        this.#run(at, toolId, params);
      }
    }
    throw new Error(`never answers: ${calls.join(", ")}`);
  }

  async decide(iteration = 1, more: Partial<ModelRequest> = {}) {
    const model = offlineModel({ readPdf: this.readPdf, place: this.place });
    const { decision } = await askForDecision({ model }, this.request(iteration, more), {
      signal: new AbortController().signal,
      checkCall: (toolId, params) => ({ toolId, params }),
      unfinished: null,
    });
    return decision;
  }

  request(iteration = 1, more: Partial<ModelRequest> = {}): ModelRequest {
    this.timeline.announce([{ type: "react.announce", text: `iteration: ${iteration}/15` }]);
    return {
      system: "",
      tools: specsOf(this.tools),
      view: this.timeline.render({ includeSources: true, includeAnnounce: true }),
      strategy: "economic",
      ttl: "5m",
      cacheKey: "c",
      maxOutputTokens: 1_000,
      readBlob: async () => "",
      ...more,
    };
  }

  #run(at: CallContext, tool: string, params: unknown): void {
    const contribute = (blocks: readonly Block[]) =>
      this.timeline.contribute([make.call(at, tool, params as object), ...blocks]);
    const { path = "", content = "", channel = "" } = params as Record<string, string>;
    const paths = (params as { paths?: readonly string[] }).paths ?? [];
    if (tool === "react.read") {
      const found = paths.filter((each) => this.files.has(each));
      const status = JSON.stringify({ paths, missing: paths.filter((each) => !this.files.has(each)) });
      const contents = found.map((each) =>
        make.blockOf(at, "react.tool.result", each, { mime: "text/plain", text: this.files.get(each) ?? "" }),
      );
      contribute([make.result(at, status), ...contents]);
    } else if (tool === "react.write" && channel === "internal") {
      this.notes.push(content);
      contribute([make.digest(at, { artifact_path: "fi:n", visibility: "internal" }), note(at, content)]);
    } else if (tool === "react.write") {
      this.written.set(path, content);
      contribute(make.file(at, { name: path.split("/").at(-1) ?? "", mime: "text/markdown", text: content }));
    } else if (tool === "react.plan")
      contribute([make.result(at, JSON.stringify({ plan_id: "plan_1", status: "active" }))]);
    else contribute([make.result(at, this.reply(tool))]);
  }
}

function note(at: CallContext, text: string): Block {
  return make.blockOf(at, "react.note", `fi:${at.turn}.files/note.md`, { text, meta: { channel: "internal" } });
}
