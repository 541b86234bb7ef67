/** Collects the digest of covered blocks: every block that carries content is listed by its path. */
import type { Block } from "../block/block.ts";
import { attachmentDigest, type Digest, fileDigest, sourceIds } from "../block/digest.ts";
import { extractCitations } from "../citation/extract-citations.ts";
import { type Directive, directivesOf } from "../directive/directives.ts";
import type { JsonObject } from "../json.ts";
import { canonicalPath } from "../path/resolve.ts";
import { type PlanSnapshot, parsePlan } from "../plan/plan.ts";
import type { Call } from "../state/call.ts";
import type { Entry } from "../state/entry.ts";
import type { ArtifactItem, OwnDigest, ResultItem, SearchItem, TurnItem } from "./digest.ts";

/** Tools whose result only refers to content that has its own path. */
const PASSING_TOOLS = new Set(["react.read", "react.hide", "react.memory_hide", "react.plan", "react.write"]);
const ABOUT_CHARS = 80;

export function digestEntries(covered: readonly Entry[]): OwnDigest {
  const digest = new DigestBuilder();
  for (const entry of covered) if (entry.block.type !== "conv.range.summary") digest.add(entry);
  return digest.build();
}

class DigestBuilder {
  readonly #turns = new Map<string, TurnItem>();
  readonly #artifacts = new Map<string, ArtifactItem>();
  /** The call that wrote the latest version of a file. */
  readonly #writers = new Map<string, Call | null>();
  readonly #plans = new Map<string, PlanSnapshot>();
  readonly #files = new Set<string>();
  readonly #execOutputs = new Set<string>();
  readonly #searches = new Map<Call, SearchItem>();
  readonly #results = new Map<string, ResultItem>();
  readonly #directives: Directive[] = [];
  readonly #notes: { path: string; text: string }[] = [];
  readonly #hidden: { path: string; replacement: string }[] = [];
  readonly #cited = new Set<number>();

  add(entry: Entry): void {
    const { block, overlay } = entry;
    const path = pathOf(block);
    if (overlay !== null && overlay.replacement !== null)
      this.#hidden.push({
        path,
        replacement: overlay.by === "agent" ? overlay.replacement : oneLine(overlay.replacement),
      });
    // The sources a file cites are those of its latest version, which is known only at the end.
    if (!path.startsWith("fi:") && entry.describes?.startsWith("fi:") !== true) {
      this.#cite(entry, sourceIds(block.meta?.sources_used));
      this.#cite(entry, entry.digest?.sources_used ?? []);
    }
    switch (block.type) {
      case "user.prompt":
        this.#addToTurn(block, path);
        this.#directives.push(...directivesOf(block, path));
        break;
      case "assistant.completion":
        this.#addToTurn(block, path);
        this.#cite(entry, extractCitations(block.text ?? "", "markdown"));
        break;
      case "react.note":
        if (block.meta?.directive === true) this.#directives.push(...directivesOf(block, path));
        else this.#notes.push({ path, text: block.text ?? "" });
        break;
      case "react.plan":
        this.#addPlan(entry);
        break;
      case "user.attachment.meta":
      case "user.attachment":
        this.#addArtifact(entry, path);
        break;
      case "react.tool.call":
        this.#addSearch(entry);
        break;
      case "react.tool.result":
        this.#addResult(entry, path);
        break;
      default:
        if (path.startsWith("fi:")) this.#addArtifact(entry, path);
        else if (path !== "" && isContent(block)) this.#results.set(path, { path, tool: null });
    }
  }

  build(): OwnDigest {
    return {
      directives: this.#directives,
      closed_orders: [],
      open_plans: [...this.#plans.values()],
      notes: this.#notes,
      cited_sids: [...this.#cited.union(this.#citedByFiles())].sort((a, b) => a - b),
      turns: [...this.#turns.values()],
      artifacts: [...this.#artifacts.values()],
      files: [...this.#files],
      exec_outputs: [...this.#execOutputs],
      searches: [...this.#searches.values()],
      results: [...this.#results.values()],
      hidden: this.#hidden,
    };
  }

  #citedByFiles(): ReadonlySet<number> {
    return new Set([...this.#artifacts.values()].flatMap(({ sources_used }) => sources_used));
  }

  #cite({ sourcesKnown }: Entry, sids: readonly number[]): void {
    for (const sid of sids) if (sid <= sourcesKnown) this.#cited.add(sid);
  }

  #addToTurn(block: Block, path: string): void {
    const turn_id = block.turn_id ?? "";
    const known = this.#turns.get(turn_id) ?? { turn_id, prompts: [], about: "", completion: null };
    if (block.type === "assistant.completion") this.#turns.set(turn_id, { ...known, completion: path });
    else {
      const about = known.about || oneLine(block.text ?? "");
      this.#turns.set(turn_id, { ...known, prompts: [...known.prompts, path], about });
    }
  }

  #addPlan(entry: Entry): void {
    const plan = entry.json === null ? null : parsePlan(entry.json);
    if (plan === null) return;
    this.#plans.delete(plan.plan_id); // The latest snapshot also decides the order.
    this.#plans.set(plan.plan_id, plan);
  }

  #addArtifact(entry: Entry, path: string): void {
    const { block, version } = entry;
    const digest = block.type === "user.attachment.meta" ? attachmentDigest(block) : fileDigest(block);
    const known = this.#artifacts.get(path);
    this.#artifacts.set(path, {
      path,
      version: Math.max(version, known?.version ?? 0, 1),
      mime: digest.mime ?? (block.type === "user.attachment.meta" ? null : block.mime) ?? known?.mime ?? null,
      visibility: digest.visibility ?? known?.visibility ?? null,
      sources_used: this.#latestSources(entry, path, digest),
    });
  }

  /**
   * Sources cited by the latest version of a file, possibly none. A call's digest and the file it describes are one
   * version; a digest from `react.read` describes an existing version.
   */
  #latestSources(entry: Entry, path: string, digest: Digest): readonly number[] {
    const writer = this.#writers.get(path);
    const isRead = entry.tool === "react.read";
    if (!isRead) this.#writers.set(path, entry.call);
    if (digest.sources_used !== undefined) return digest.sources_used.filter((sid) => sid <= entry.sourcesKnown);
    const isOfKnownVersion = isRead || entry.call === null || writer === undefined || writer === entry.call;
    return isOfKnownVersion ? (this.#artifacts.get(path)?.sources_used ?? []) : [];
  }

  /**
   * The digest in a call's result adds fields that the file's own block may lack, and represents a file that no block
   * contains.
   */
  #addDescription(entry: Entry, digest: Digest): void {
    const path = entry.describes;
    if (path === null || !path.startsWith("fi:")) return;
    const known = this.#artifacts.get(path);
    this.#artifacts.set(path, {
      path,
      version: known?.version ?? 1,
      mime: digest.mime ?? known?.mime ?? null,
      visibility: digest.visibility ?? known?.visibility ?? null,
      sources_used: this.#latestSources(entry, path, digest),
    });
  }

  #addSearch(entry: Entry): void {
    const queries = queriesOf(entry.json);
    if (entry.call === null || queries.length === 0) return;
    this.#searches.set(entry.call, { path: resultPath(entry.call), queries, sources: null });
  }

  #addResult(entry: Entry, path: string): void {
    const { call, tool } = entry;
    if (tool === "react.read" && (call === null || path !== resultPath(call))) return;
    if (path.startsWith("fi:")) {
      this.#addArtifact(entry, path);
      if (tool === "react.write" || tool === "react.patch") this.#files.add(path);
      if (tool?.startsWith("exec_tools.")) this.#execOutputs.add(path);
      return;
    }
    const search = call === null ? undefined : this.#searches.get(call);
    if (search !== undefined && call !== null) {
      const sources = path.startsWith("so:") ? path : search.sources;
      this.#searches.set(call, { ...search, sources });
      if (path === search.path || path.startsWith("so:")) return;
    }
    const described = entry.digest?.artifact_path !== undefined;
    if (entry.digest !== null) this.#addDescription(entry, entry.digest);
    if (path === "" || described || (tool !== null && PASSING_TOOLS.has(tool))) return;
    this.#results.set(path, { path, tool });
  }
}

/** Blocks other than tool results that carry something worth reading back. */
function isContent(block: Block): boolean {
  return Boolean(block.text) && (block.type.startsWith("stage.") || !isEngineType(block.type));
}

function isEngineType(type: string): boolean {
  return /^(?:react|turn|system|agent|conv)\./.test(type);
}

function resultPath(call: Call): string {
  return `tc:${call.turn}.${call.id}.result`;
}

export function pathOf(block: Block): string {
  return block.path === undefined ? "" : (canonicalPath(block.path) ?? block.path);
}

function queriesOf(json: JsonObject | null): string[] {
  const params = json?.params;
  if (typeof params !== "object" || params === null || Array.isArray(params)) return [];
  const { queries, query } = params as JsonObject;
  const list = Array.isArray(queries) ? queries : query === undefined ? [] : [query];
  return list.filter((item): item is string => typeof item === "string").map(oneLine);
}

function oneLine(text: string): string {
  const line = text
    .slice(0, ABOUT_CHARS * 4)
    .replace(/\s+/g, " ")
    .trim();
  return [...line].slice(0, ABOUT_CHARS).join("");
}
