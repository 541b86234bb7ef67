/** Collects the data for the summary of covered blocks: every block that carries content is listed by its path. */
import type { JsonObject } from "../base/json.ts";
import type { Steps } from "../base/steps.ts";
import type { Block } from "../block/block.ts";
import { type Digest, sourceIds } from "../block/digest.ts";
import { extractCitations } from "../citation/extract-citations.ts";
import type { Directive } from "../directive/directives.ts";
import type { DigestCollector, PlacedBlock, PlacedCall } from "../kind/block-kind.ts";
import { canonicalPath } from "../path/resolve.ts";
import type { PlanSnapshot } from "../plan/plan.ts";
import type { Entry } from "../state/entry.ts";
import type { ArtifactItem, OwnDigest, ResultItem, SearchItem, TurnItem } from "./digest/digest.ts";

const ABOUT_CHARS = 80;

/** Approximate number of characters between two pauses. */
const STEP_CHARS = 200_000;

export function* digestEntries(covered: readonly Entry[]): Steps<OwnDigest> {
  const digest = new DigestBuilder();
  let chars = 0;
  for (const entry of covered) {
    if (entry.kind.role === "summary") continue;
    digest.add(entry);
    chars += entry.block.text?.length ?? 0;
    if (chars < STEP_CHARS) continue;
    chars = 0;
    yield;
  }
  return digest.build();
}

class DigestBuilder implements DigestCollector {
  readonly #turns = new Map<string, TurnItem>();
  readonly #artifacts = new Map<string, ArtifactItem>();
  /** The call that wrote the latest version of a file. */
  readonly #writers = new Map<string, PlacedCall | null>();
  readonly #plans = new Map<string, PlanSnapshot>();
  readonly #files = new Set<string>();
  readonly #execOutputs = new Set<string>();
  readonly #searches = new Map<PlacedCall, SearchItem>();
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
    // A file's sources are those of its latest version, so they are added when all blocks are known.
    if (!path.startsWith("fi:") && entry.describes?.startsWith("fi:") !== true) {
      this.#cite(entry, sourceIds(block.meta?.sources_used));
      this.#cite(entry, entry.digest?.sources_used ?? []);
    }
    entry.kind.addToDigest(entry, path, this);
  }

  addPrompt({ block }: PlacedBlock, path: string): void {
    const turn = this.#turn(block);
    const about = turn.about || oneLine(block.text ?? "");
    this.#turns.set(turn.turn_id, { ...turn, prompts: [...turn.prompts, path], about });
  }

  addAnswer(entry: PlacedBlock, path: string): void {
    const turn = this.#turn(entry.block);
    this.#turns.set(turn.turn_id, { ...turn, completion: path });
    this.#cite(entry, extractCitations(entry.block.text ?? "", "markdown"));
  }

  addDirectives(directives: readonly Directive[]): void {
    this.#directives.push(...directives);
  }

  addNote(path: string, text: string): void {
    this.#notes.push({ path, text });
  }

  addPlan(plan: PlanSnapshot): void {
    this.#plans.delete(plan.plan_id); // The latest snapshot of a plan also decides the plan's place in the list.
    this.#plans.set(plan.plan_id, plan);
  }

  addPath(path: string): void {
    this.#results.set(path, { path, tool: null });
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

  #cite({ sourcesKnown }: PlacedBlock, sids: readonly number[]): void {
    for (const sid of sids) if (sid <= sourcesKnown) this.#cited.add(sid);
  }

  #turn({ turn_id = "" }: Block): TurnItem {
    return this.#turns.get(turn_id) ?? { turn_id, prompts: [], about: "", completion: null };
  }

  addFile(entry: PlacedBlock, path: string): void {
    const { block, kind, version } = entry;
    const digest = kind.file(block);
    const known = this.#artifacts.get(path);
    this.#artifacts.set(path, {
      path,
      version: Math.max(version, known?.version ?? 0, 1),
      mime: digest.mime ?? (kind.attachment === "meta" ? null : block.mime) ?? known?.mime ?? null,
      visibility: digest.visibility ?? known?.visibility ?? null,
      sources_used: this.#latestSources(entry, path, digest),
    });
  }

  /**
   * Sources cited by the latest version of a file, possibly none. A call's digest and the file it describes are one
   * version; a digest from a call that shows content again describes an existing version.
   */
  #latestSources(entry: PlacedBlock, path: string, digest: Digest): readonly number[] {
    const writer = this.#writers.get(path);
    const isRead = entry.traits.showsAgain === true;
    if (!isRead) this.#writers.set(path, entry.call);
    if (digest.sources_used !== undefined) return digest.sources_used.filter((sid) => sid <= entry.sourcesKnown);
    const isOfKnownVersion = isRead || entry.call === null || writer === undefined || writer === entry.call;
    return isOfKnownVersion ? (this.#artifacts.get(path)?.sources_used ?? []) : [];
  }

  /** A call's digest adds fields that the file's block may lack, and represents a file that no block contains. */
  #addDescription(entry: PlacedBlock, digest: Digest): void {
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

  addCall(entry: PlacedBlock): void {
    const queries = queriesOf(entry.json);
    if (entry.call === null || queries.length === 0) return;
    this.#searches.set(entry.call, { path: resultPath(entry.call), queries, sources: null });
  }

  addResult(entry: PlacedBlock, path: string): void {
    const { call, tool, traits } = entry;
    if (traits.showsAgain === true && (call === null || path !== resultPath(call))) return;
    if (path.startsWith("fi:")) {
      this.addFile(entry, path);
      if (traits.files === "written" || traits.files === "patched") this.#files.add(path);
      if (traits.files === "output") this.#execOutputs.add(path);
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
    if (path === "" || described || traits.refers === true) return;
    this.#results.set(path, { path, tool });
  }
}

function resultPath(call: PlacedCall): string {
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
