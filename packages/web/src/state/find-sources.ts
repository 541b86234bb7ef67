/** Loads cited sources that this page does not know. Sources that appear at the same time are requested together. */
import { findSources } from "../api/client.ts";
import { updateSession } from "./open-session.ts";
import { addSources } from "./session.ts";

interface Wanted {
  readonly asked: Set<number>;
  next: number[];
}

const AT_ONCE = 100;
let open: { readonly id: string; readonly wanted: Wanted } | null = null;

export function wantSource(id: string, sid: number): void {
  if (open?.id !== id) open = { id, wanted: { asked: new Set(), next: [] } };
  const { wanted } = open;
  if (wanted.asked.has(sid)) return;
  wanted.asked.add(sid);
  if (wanted.next.push(sid) === 1) queueMicrotask(() => void ask(id, wanted));
}

async function ask(id: string, wanted: Wanted): Promise<void> {
  const sids = wanted.next;
  wanted.next = [];
  for (let from = 0; from < sids.length; from += AT_ONCE) {
    const part = sids.slice(from, from + AT_ONCE);
    try {
      const rows = await findSources(id, part);
      updateSession(id, (session) => addSources(session, rows));
    } catch {
      // The card then says that the source is unknown. A later citation requests it again.
      for (const sid of part) wanted.asked.delete(sid);
    }
  }
}
