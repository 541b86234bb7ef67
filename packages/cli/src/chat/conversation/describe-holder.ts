/** Describes the process that holds a conversation, for a user who waits for it. */
import { hostname } from "node:os";
import { errorCode } from "@cairn/timeline";
import { plainLine } from "../../command/terminal.ts";

/** `holder` is `<machine>:<process>`, the name of a turn's lease; `isAlive` says whether a local process runs. */
export function describeHolder(holder: unknown, isAlive = isRunning) {
  const name = typeof holder === "string" ? holder : "";
  const [, host, pid] = /^(.*):(\d{1,10})$/.exec(name) ?? [];
  if (host === undefined || pid === undefined) return { who: "another process", isGone: false };
  if (host !== hostname()) return { who: `process ${pid} on ${plainLine(host)}`, isGone: false };
  return { who: `process ${pid}`, isGone: !isAlive(Number(pid)) };
}

/** Whether a process runs. If it may not be signalled, it belongs to another user and is alive. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
