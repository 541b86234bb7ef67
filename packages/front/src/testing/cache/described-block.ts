/** A wire block as caches see it: a key of its exact bytes, its tokens and its kind. */
import { hashText, type WireBlock, type WireKind } from "@cairn/timeline";

export interface DescribedBlock {
  readonly hash: string;
  readonly tokens: number;
  readonly kind: WireKind;
}

/** Two wire blocks are equal to a cache if their bytes are equal, and if both or none of them begin a message. */
export function hashBlock({ content, startsMessage }: Pick<WireBlock, "content" | "startsMessage">): string {
  return hashText(`${startsMessage ? "message " : ""}${JSON.stringify(content)}`);
}
