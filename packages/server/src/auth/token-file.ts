/**
 * A token list in a file. Changes take effect without a restart: requests check the file at most once a second and read
 * it if it has changed. If the file is missing or the list empty, everybody is rejected, so that the last token can be
 * revoked. If the file is invalid, the last valid list stays in effect. A missing and an invalid file are logged.
 */
import { stat } from "node:fs/promises";
import { CairnError } from "@cairn/timeline";
import type { Caller } from "./caller.ts";
import { readTokens, Tokens } from "./tokens.ts";

const LOOK_EVERY_MS = 1_000;

export interface TokenFileOptions {
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
  /** Called once when the file cannot be used, and again if the problem changes. */
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

  /** Throws `bad_setting` when the file cannot be used at the start. */
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
      // A write during the read changes the mark of the file, so the next check reads the file again.
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

/** A mark that changes when the file is written or replaced; empty for a missing file. */
async function markOf(path: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    // A file that cannot be examined counts as changed. Reading it then reports the problem.
    return "";
  }
}
