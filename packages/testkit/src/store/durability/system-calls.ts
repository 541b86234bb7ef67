/**
 * Reads what `strace -f -y` wrote: one system call a line, or two lines when another thread came between its start and
 * its end. Only order matters: a call starts and ends at line numbers.
 */

export interface SystemCall {
  readonly name: string;
  /** File behind the first descriptor (`-y` names it), or null. */
  readonly file: string | null;
  /** Everything between the parentheses, as printed. */
  readonly args: string;
  readonly start: number;
  readonly end: number;
  readonly ok: boolean;
}

/**
 * The system calls that a durability trace must record. The question marks are for names that do not exist on every
 * machine.
 */
export const TRACED_CALLS = [
  "fsync",
  "fdatasync",
  "?rename",
  "?renameat",
  "renameat2",
  "?link",
  "linkat",
  "?mkdir",
  "mkdirat",
  "write",
  "pwrite64",
  "writev",
  "pwritev",
  "pwritev2",
  "copy_file_range",
  "sendfile",
];

const WHOLE = /^(\d+)\s+(\w+)\((.*)\)\s+=\s+(-?\d+|\?)/s;
const BEGUN = /^(\d+)\s+(\w+)\((.*?)\s*<unfinished \.\.\.>$/s;
const RESUMED = /^(\d+)\s+<\.\.\. (\w+) resumed>(.*)\)\s+=\s+(-?\d+|\?)/s;

export function parseTrace(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, { args: string; start: number }>();
  for (const [line, text] of trace.split("\n").entries()) {
    const whole = WHOLE.exec(text);
    if (whole !== null) {
      calls.push(callOf(whole[2], whole[3], line, line, whole[4]));
      continue;
    }
    const begun = BEGUN.exec(text);
    if (begun !== null) {
      open.set(`${begun[1]} ${begun[2]}`, { args: begun[3] ?? "", start: line });
      continue;
    }
    const resumed = RESUMED.exec(text);
    if (resumed === null) continue;
    const from = open.get(`${resumed[1]} ${resumed[2]}`);
    if (from !== undefined)
      calls.push(callOf(resumed[2], from.args + (resumed[3] ?? ""), from.start, line, resumed[4]));
  }
  return calls.sort((a, b) => a.start - b.start);
}

function callOf(name = "", args = "", start: number, end: number, result = "?"): SystemCall {
  const file = /^\d+<([^>]*)>/.exec(args)?.[1] ?? null;
  return { name, args, file, start, end, ok: Number(result) >= 0 };
}

/** The quoted strings among the arguments: the paths of a rename, a link or a mkdir. */
export function quoted(call: SystemCall): string[] {
  return [...call.args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1] ?? "");
}
