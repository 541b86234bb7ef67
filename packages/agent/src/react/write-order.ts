/**
 * Writes to one file, one after another.
 *
 * Calls of one decision run at the same time and settle in any order, but the file that lies in the workspace has to be
 * the latest version on the timeline. So writes of a path take turns, and a call that settles after a later write of
 * the path has settled must not put its version on top.
 */
import type { Workspace } from "../workspace/workspace.ts";

interface PathOrder {
  /** Resolves when nobody writes. */
  idle: Promise<unknown>;
  written: number;
  settled: number;
}

const orders = new WeakMap<Workspace, Map<string, PathOrder>>();

export interface WriteTicket {
  /** Notes that the write settles now; false when a later one has settled already. */
  settle(): boolean;
  /** Whether an earlier write of the path has settled since the workspace was opened. */
  readonly hasEarlier: () => boolean;
}

/** Runs `write` while nobody else writes the path. */
export async function writeInOrder<T>(
  workspace: Workspace,
  path: string,
  write: () => Promise<T>,
): Promise<{ readonly written: T; readonly ticket: WriteTicket }> {
  const order = orderOf(workspace, path);
  const run = order.idle.then(async () => {
    const written = await write();
    return { written, number: ++order.written };
  });
  order.idle = run.catch(() => undefined); // Whoever waits does not care how the write before it went.
  const { written, number } = await run;
  const settle = () => {
    if (order.settled > number) return false;
    order.settled = number;
    return true;
  };
  return { written, ticket: { settle, hasEarlier: () => order.settled > 0 } };
}

function orderOf(workspace: Workspace, path: string): PathOrder {
  const paths = orders.get(workspace) ?? new Map<string, PathOrder>();
  orders.set(workspace, paths);
  const order = paths.get(path) ?? { idle: Promise.resolve(), written: 0, settled: 0 };
  paths.set(path, order);
  return order;
}
