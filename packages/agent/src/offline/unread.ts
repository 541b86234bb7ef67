/** Material that can be read and is not in view yet: attachments, files and pages of the pool; each once per turn. */
import { isOwnWork, nameOf } from "./passages.ts";
import type { ReadTimeline, ReadTurn } from "./read-view.ts";
import type { Unreadable } from "./wording.ts";

interface Readable {
  readonly path: string;
  readonly name: string;
  readonly mime: string;
}

const MAX_OTHERS = 5;
/** Maximum number of paths that are read at a time. */
const MAX_NAMED = 20;

export class Unread {
  readonly #turn: ReadTurn;
  /** Why nothing can be read from a file, by logical path. */
  readonly #failed: ReadonlyMap<string, string>;
  readonly #inView: ReadonlySet<string>;
  readonly #readable: readonly Readable[];
  readonly #message: string;

  /** `documents`: the text of each PDF in view; `failed`: why a file cannot be read. Both by logical path. */
  constructor(
    timeline: ReadTimeline,
    turn: ReadTurn,
    documents: ReadonlyMap<string, string>,
    failed: ReadonlyMap<string, string>,
  ) {
    this.#turn = turn;
    this.#failed = failed;
    this.#message = turn.prompts.join("\n").toLowerCase();
    const findings = timeline.turns.flatMap((each) => each.findings);
    const own = new Set(findings.filter(isOwnWork).map(({ path }) => path));
    const shown = new Set(
      findings.filter(({ tool }) => tool.startsWith("web_tools.")).flatMap(({ text }) => sidsIn(text)),
    );
    this.#inView = new Set([
      ...findings.filter(({ text, binary }) => text.trim() !== "" || binary !== null).map(({ path }) => path),
      ...documents.keys(),
    ]);
    const attachments = timeline.turns.flatMap((each) => each.attachments);
    const known = new Set(attachments.map(({ path }) => path));
    const rows = timeline.pool.filter(({ sid, place }) => !known.has(place) && !own.has(place) && !shown.has(sid));
    this.#readable = [
      ...attachments.map(({ path, name, mime }) => ({ path, name, mime })),
      ...rows.map(({ sid, place, label }) =>
        place.startsWith("fi:")
          ? { path: place, name: nameOf(place), mime: "" }
          : { path: `so:sources_pool[${sid}]`, name: label, mime: "" },
      ),
    ];
  }

  /** Attachments of this message. A picture contains nothing to read, and a PDF is already in view. */
  inTurn(): string[] {
    const here = new Set(this.#turn.attachments.map(({ path }) => path));
    return this.#left().filter((path) => here.has(path));
  }

  /** Files that this message names by file name or logical path. */
  named(): string[] {
    const written = this.#turn.prompts.join("\n").matchAll(/(?<![a-z0-9])(?:fi|so|ar|tc|su|sk):[^\s"'`<>]{1,500}/gi);
    const paths = new Set(written.map(([path]) => path.replace(/(?<![.,;:!?)])[.,;:!?)]+$/, "")));
    const unread = paths.values().filter((path) => !this.#isTried(path) && !this.#inView.has(path));
    const named = new Set(this.namedNames());
    const byName = this.#readable.filter(({ name }) => named.has(name)).map(({ path }) => path);
    const left = new Set(this.#left());
    return [...unread.take(MAX_NAMED), ...byName.filter((path) => left.has(path))];
  }

  namedNames(): string[] {
    return this.#readable
      .map(({ name }) => name)
      .filter((name) => name.length >= 4 && this.#message.includes(name.toLowerCase()));
  }

  others(): string[] {
    return this.#left().slice(-MAX_OTHERS);
  }

  /** Attached or named files without text in view, with the reason if it is known. */
  unreadable(): Unreadable[] {
    return this.#given()
      .filter(({ path, mime }) => mime.startsWith("image/") || this.#failed.has(path) || !this.#inView.has(path))
      .map(({ path, name, mime }) => ({ name, why: mime.startsWith("image/") ? "" : (this.#failed.get(path) ?? "") }));
  }

  /** Whether this message is about files that could not be read, and about no readable one. Pictures do not count. */
  isAllUnreadable(): boolean {
    const given = this.#given().filter(({ mime }) => !mime.startsWith("image/"));
    return given.length > 0 && given.every(({ path }) => this.#failed.has(path));
  }

  #given(): Readable[] {
    const here = new Set(this.#turn.attachments.map(({ path }) => path));
    const named = new Set(this.namedNames());
    return this.#readable.filter(({ path, name }) => here.has(path) || named.has(name));
  }

  #left(): string[] {
    return this.#readable
      .filter(({ path, mime }) => !mime.startsWith("image/") && !this.#failed.has(path))
      .map(({ path }) => path)
      .filter((path) => path !== "" && !this.#inView.has(path) && !this.#isTried(path));
  }

  #isTried(path: string): boolean {
    const quoted = JSON.stringify(path);
    return this.#turn.calls.some(({ tool, params }) => tool === "react.read" && params.includes(quoted));
  }
}

/** Sources in the JSON of a result of a search or a fetch. */
function sidsIn(json: string): number[] {
  return [...json.matchAll(/"sid":(\d{1,9})/g)].map(([, sid]) => Number(sid));
}
