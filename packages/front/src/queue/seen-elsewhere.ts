/** The status of conversations that this process does not run, from the last sweep. */
import { type ConversationKey, scopeKey } from "@cairn/store";
import type { Status } from "../live/live-item.ts";

interface Seen {
  readonly key: ConversationKey;
  readonly status: Status;
}

export class SeenElsewhere {
  #seen = new Map<string, Seen>();

  statusOf(key: ConversationKey): Status {
    return this.#seen.get(scopeKey(key))?.status ?? "idle";
  }

  note(key: ConversationKey, status: Status): void {
    this.#seen.set(scopeKey(key), { key, status });
  }

  /** Stores the result of a sweep; returns the conversations whose status has changed. */
  replace(found: readonly Seen[]): readonly ConversationKey[] {
    const before = this.#seen;
    this.#seen = new Map(found.map((seen) => [scopeKey(seen.key), seen]));
    const changed = found.filter(({ key, status }) => before.get(scopeKey(key))?.status !== status);
    const gone = [...before].filter(([name]) => !this.#seen.has(name)).map(([, { key }]) => key);
    return [...changed.map(({ key }) => key), ...gone];
  }
}
