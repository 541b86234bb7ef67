/** Who holds a conversation, in words for somebody who waits for it. */
import { hostname } from "node:os";
import { plainLine } from "../terminal.ts";

/** `holder` is `<machine>:<process>`, as leases of turns are named; `isAlive` says whether a process of ours runs. */
export function describeHolder(
  holder: unknown,
  isAlive = isRunning,
): { readonly who: string; readonly isGone: boolean } {
  const name = typeof holder === "string" ? holder : "";
  const [, host, pid] = /^(.*):(\d{1,10})$/.exec(name) ?? [];
  if (host === undefined || pid === undefined) return { who: "another process", isGone: false };
  if (host !== hostname()) return { who: `process ${pid} on ${plainLine(host)}`, isGone: false };
  return { who: `process ${pid}`, isGone: !isAlive(Number(pid)) };
}

/** A process of another user is alive as well, though we may not send it anything. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
