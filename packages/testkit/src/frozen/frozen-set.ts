/** The location and contents of frozen sets. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalFacts, RequestFact } from "./journal-facts.ts";
import { type PackedFiles, unpack } from "./pack.ts";

export type BackEndId = "sqlite" | "postgres";

const FROZEN = join(import.meta.dirname, "../../frozen");

export function folderOf(set: string): string {
  return join(FROZEN, set);
}

export function frozenSets(): string[] {
  return readdirSync(FROZEN).filter((name) => /^v\d+$/.test(name));
}

/** A set as the current code reads it. The set is loaded into memory once. */
export class FrozenSet {
  readonly name: string;
  readonly #stores: PackedFiles;
  #requests: PackedFiles | null = null;

  constructor(name: string) {
    this.name = name;
    this.#stores = unpack(readFileSync(join(folderOf(name), "journals.zst")));
  }

  /** The files of a back end, by their paths in its folder. */
  filesOf(backEnd: BackEndId): PackedFiles {
    const prefix = `${backEnd}/`;
    const files = [...this.#stores].filter(([path]) => path.startsWith(prefix));
    return new Map(files.map(([path, bytes]) => [path.slice(prefix.length), bytes]));
  }

  /** The facts of each conversation when the set was made. */
  journalsOf(backEnd: BackEndId): JournalFacts[] {
    const lines = textAt(this.#stores, `${backEnd}.jsonl`).split("\n");
    const journals = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as JournalFacts);
    return journals.map((facts) => ({ ...facts, requests: facts.requests.map(withoutExplanations) }));
  }

  get exports(): ReadonlyMap<string, Buffer> {
    const files = [...this.#stores].filter(([path]) => path.startsWith("exports/"));
    return new Map(files.map(([path, bytes]) => [path.slice("exports/".length), bytes]));
  }

  /** A request as it was sent, under the SHA-256 of its body; or as it is serialised for a provider, under a name. */
  request(id: string): string {
    this.#requests ??= unpack(readFileSync(join(folderOf(this.name), "requests.zst")));
    return textAt(this.#requests, id);
  }
}

/**
 * Facts of v1 also contain why a request missed the cache. The reason is computed when it is read, so its wording may
 * differ.
 */
function withoutExplanations(fact: RequestFact & { readonly miss?: unknown; readonly cold?: unknown }): RequestFact {
  const { miss: _miss, cold: _cold, ...written } = fact;
  return written;
}

function textAt(files: PackedFiles, path: string): string {
  const bytes = files.get(path);
  if (bytes === undefined) throw new Error(`The frozen set has no ${path}.`);
  return bytes.toString("utf8");
}
