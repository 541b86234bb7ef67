/** The sources that existed when a text was written. The text cannot cite later sources. */
import type { SourcesPool } from "@cairn/timeline";

export interface SourcesSeen {
  /** The highest SID that the model had seen. */
  readonly known: number;
  readonly has: (sid: number) => boolean;
}

export function sourcesSeen(pool: SourcesPool, known: number = pool.maxSid): SourcesSeen {
  return { known, has: (sid) => pool.has(sid) };
}
