/** Tokens and cost of a conversation, from its events. */
import type { KnownEvent } from "@cairn/timeline";

export class Meter {
  #dollars = 0;
  #isPriced = true;
  #input = 0;

  /** Cost in dollars; null when the price of a model is unknown. */
  get cost(): number | null {
    return this.#isPriced ? this.#dollars : null;
  }

  /** Input tokens of the last request. */
  get input(): number {
    return this.#input;
  }

  see(event: KnownEvent): void {
    if (event.kind === "meta.set") this.#add((event.body.aside as { readonly cost?: unknown } | undefined)?.cost);
    if (event.kind !== "model.receipt") return;
    const { usage, tokens, cost } = event.body;
    if (usage !== undefined) this.#input = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
    else if (tokens !== undefined) this.#input = tokens.tools + tokens.system + tokens.stable + tokens.tail;
    if (usage !== undefined && cost === undefined) this.#isPriced = false;
    this.#add(cost);
  }

  #add(cost: unknown): void {
    if (typeof cost === "number" && cost > 0) this.#dollars += cost;
  }
}
