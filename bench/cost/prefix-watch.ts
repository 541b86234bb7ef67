/** Counts the requests that changed content which was already sent, without a declared reset. The number must be 0. */
import type { TimedRequest } from "@cairn/testkit/cache";
import type { DeclaredReset } from "@cairn/timeline";

export class PrefixWatch {
  undeclared = 0;
  #previous: readonly string[] = [];

  see({ blocks }: TimedRequest, resets: readonly DeclaredReset[]): void {
    const sent = blocks.filter(({ kind }) => kind !== "tail").map(({ hash }) => hash);
    const extended = this.#previous.every((hash, at) => hash === sent[at]);
    if (!extended && resets.length === 0) this.undeclared++;
    this.#previous = sent;
  }
}
