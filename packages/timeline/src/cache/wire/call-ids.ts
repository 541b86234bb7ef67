/**
 * Ids of calls on the wire. Ids of the timeline are sent unchanged where the provider accepts them. An id that is too
 * long, that contains other characters, or that an earlier call of the request has, is replaced by a hash of its turn
 * and id. Ids of the timeline may repeat from turn to turn; providers refuse repeated ids.
 *
 * The id of a call depends only on the calls before it, so a longer conversation sends the same ids.
 */
import type { PlacedCall } from "../../kind/block-kind.ts";
import { hashText } from "../hash.ts";

// Anthropic: https://platform.claude.com/docs/en/api/messages (`^[a-zA-Z0-9_-]+$`). OpenAI: at most 64 characters,
// https://platform.openai.com/docs/api-reference/responses/create (`call_id`). Bedrock: both rules,
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html. Read on 2026-11-16.
const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;
const HASH_DIGITS = 24;

export class CallIds {
  readonly #taken = new Set<string>();
  readonly #length: number | undefined;

  /** `length`: the length that every id must have; ids of a fixed length contain letters and digits only. */
  constructor(length?: number) {
    this.#length = length;
  }

  take({ turn, id }: PlacedCall): string {
    let fitted = this.#isLegal(id) ? id : this.#hash(turn, id, 0);
    for (let again = 1; this.#taken.has(fitted); again++) fitted = this.#hash(turn, id, again);
    this.#taken.add(fitted);
    return fitted;
  }

  #isLegal(id: string): boolean {
    return LEGAL.test(id) && (this.#length === undefined || (id.length === this.#length && /^[a-zA-Z0-9]+$/.test(id)));
  }

  #hash(turn: string, id: string, again: number): string {
    const digits = hashText(`${turn} ${id} ${again}`);
    return this.#length === undefined ? `tc_${digits.slice(0, HASH_DIGITS)}` : digits.slice(0, this.#length);
  }
}
