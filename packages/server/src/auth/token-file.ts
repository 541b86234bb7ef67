/**
 * A token list in a file. Changes take effect without a restart: the file is checked on requests, at most once a
 * second, and read when it has changed. A missing file, like an empty list, rejects everybody, so that the last token
 * can be revoked. An invalid file changes nothing until it is corrected. Both cases are logged.
 */
import { stat } from "node:fs/promises";
import { CairnError } from "@cairn/timeline";
import type { Caller } from "./caller.ts";
import { readTokens, Tokens } from "./tokens.ts";

const LOOK_EVERY_MS = 1_000;

export interface TokenFileOptions {
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
  /** Called once for a file that cannot be used, and again for a different problem. */
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
      // If the file was written during the read, its mark has changed, so the next check reads it again.
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

/** A mark that changes when the file is written or replaced; empty for no file. */
async function markOf(path: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(path, { bigint: true });
    return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
  } catch {
    // An unreadable file counts as changed; reading it then reports the problem.
    return "";
  }
}
