/**
 * How long processes have kept a core busy, in milliseconds. Unlike wall-clock time, this is the cost of the work even
 * if other processes use the machine. The value is NaN if the kernel does not report it as Linux does.
 */
import { readdirSync, readFileSync } from "node:fs";
import { makeClient, warnOfLoss } from "@cairn/store/postgres";

/** Linux counts in hundredths of a second, whatever the machine. */
const TICK_MS = 10;

interface ProcessTimes {
  readonly parent: number;
  readonly own: number;
  /** Processor time of child processes that have ended. */
  readonly ended: number;
}

/** Measures the processor time of processes that still run at the next measurement. */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (timesOf(pid)?.own ?? Number.NaN), 0);
}

/** Processor time of a PostgreSQL server on this machine. Its connections are processes, which come and go. */
export async function cpuOfPostgres(database: string): Promise<number> {
  const client = makeClient({ connectionString: database }, warnOfLoss);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const parent = timesOf(rows[0]?.pid ?? 0)?.parent ?? 0;
    const server = timesOf(parent);
    if (server === null) return Number.NaN;
    const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (timesOf(Number(name)) ?? []) : []));
    const children = all.filter((each) => each.parent === parent);
    return server.own + server.ended + children.reduce((sum, { own }) => sum + own, 0);
  } finally {
    await client.end();
  }
}

/** Null for a process that has ended, or if the system does not report it. */
function timesOf(pid: number): ProcessTimes | null {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
  // Fields are read after the name of the program, which is in brackets and may contain anything.
  const fields = line
    .slice(line.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (at) => fields[at],
  );
  return { parent, own: (user + system) * TICK_MS, ended: (endedUser + endedSystem) * TICK_MS };
}
