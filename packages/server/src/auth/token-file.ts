/**
 * A list of tokens that stands in a file, as it stands there now: who is added gets in and who is taken out does not,
 * without a new start. The file is looked at when somebody calls, at most once a second, and read when it has changed.
 * A file that is gone, like an empty list, lets nobody in: the last token can be withdrawn. One that is wrong changes
 * nothing until it is right again. Whoever watches the log is told of both.
 */
import { stat } from "node:fs/promises";
import { CairnError } from "@cairn/timeline";
import type { Caller } from "./caller.ts";
import { readTokens, Tokens } from "./tokens.ts";

const LOOK_EVERY_MS = 1_000;

export interface TokenFileOptions {
  /** Epoch milliseconds, or any other clock that goes forward. */
  readonly now: () => number;
  /** Told once about a file that cannot be used, and again when it is another problem. */
  readonly warn: (problem: string) => void;
}

export class TokenFile {
  readonly #path: string;
  readonly #options: TokenFileOptions;
  #tokens: Tokens;
  #seen: string;
  #problem = "";
  #lookedAt: number;
  #looking: Promise<void> | null = null;

  private constructor(path: string, options: TokenFileOptions, tokens: Tokens, seen: string) {
    this.#path = path;
    this.#options = options;
    this.#tokens = tokens;
    this.#seen = seen;
    this.#lookedAt = options.now();
  }

  /** Throws `bad_setting` when the file cannot be used from the start. */
  static async open(path: string, options: TokenFileOptions): Promise<TokenFile> {
    const seen = await markOf(path);
    return new TokenFile(path, options, await readTokens(path), seen);
  }

  async find(token: string): Promise<Caller | null> {
    if (this.#options.now() - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#looking ??= this.#look();
      await this.#looking;
    }
    return this.#tokens.find(token);
  }

  async #look(): Promise<void> {
    try {
      const seen = await markOf(this.#path);
      if (seen === this.#seen && this.#problem === "") return;
      this.#tokens = await readTokens(this.#path);
      // What was written while it was read has another mark, and is read the next time.
      this.#seen = seen;
      this.#problem = "";
    } catch (error) {
      const problem = CairnError.is(error) ? error.message : String(error);
      if (problem !== this.#problem) this.#options.warn(problem);
      this.#problem = problem;
      if ((await markOf(this.#path)) === "") this.#tokens = new Tokens([]);
    } finally {
      this.#lookedAt = this.#options.now();
      this.#looking = null;
    }
  }
}

/** What is different when a file was written or another was put in its place; empty for none. */
async function markOf(path: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    // Reading it says what is wrong.
    return "";
  }
}
