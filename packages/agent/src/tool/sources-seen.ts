/** Which sources there were when a text was written: later ones are none it can cite. */
import type { SourcesPool } from "@cairn/timeline";

export interface SourcesSeen {
  /** The highest SID. */
  readonly known: number;
  readonly has: (sid: number) => boolean;
}

export function sourcesSeen(pool: SourcesPool, known: number = pool.maxSid): SourcesSeen {
  return { known, has: (sid) => pool.has(sid) };
}
