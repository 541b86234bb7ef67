/**
 * What a program may use up. Each limit ends the program or fails the one operation that passes it, and the report says
 * which it was.
 *
 * Time, output, memory in sum and disk in sum are watched from outside, every 50 ms; a program can pass the last two by
 * what it manages between two looks. On Linux the system holds each process to memory, file size, CPU time and number
 * of processes besides.
 */
export interface SandboxLimits {
  /** Wall clock. */
  readonly timeoutMs: number;
  /** Of all processes of the program together, with what the kernel keeps for them. */
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly processes: number;
  /** The largest file it may write. */
  readonly fileBytes: number;
  /** Everything it has written, together. */
  readonly diskBytes: number;
  /** Files and folders it has made. */
  readonly diskEntries: number;
  /** Standard output and error together; the report shows the end of it. */
  readonly outputBytes: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_LIMITS: SandboxLimits = {
  timeoutMs: 60_000,
  memoryBytes: 1024 * MIB,
  processes: 64,
  fileBytes: 64 * MIB,
  diskBytes: 256 * MIB,
  diskEntries: 10_000,
  outputBytes: 16 * MIB,
};
