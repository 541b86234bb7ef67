/** Counts the requests that changed something already sent although no reset was declared. There must be none. */
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
