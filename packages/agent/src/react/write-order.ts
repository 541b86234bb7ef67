/**
 * Orders the writes to one file.
 *
 * Calls of one decision run concurrently and settle in any order, but the file in the workspace must equal the latest
 * version on the timeline. So writes to a path run one after the other. A call must not add its version if a later
 * write to the path has already settled.
 */
import type { Workspace } from "../workspace/workspace.ts";

interface PathOrder {
  /** A promise that resolves when no write is running. */
  idle: Promise<unknown>;
  written: number;
  settled: number;
}

const orders = new WeakMap<Workspace, Map<string, PathOrder>>();

export interface WriteTicket {
  /** Records that the write settles now; returns false when a later write has already settled. */
  settle(): boolean;
  /** Whether an earlier write to the path has settled since the workspace was opened. */
  readonly hasEarlier: () => boolean;
}

/** Runs `write` while no other write to the path runs. */
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
  order.idle = run.catch(() => undefined); // The next write runs even if the previous one failed.
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
