/**
 * Resource limits of a program. Exceeding a limit ends the program or fails the operation, and the report says which
 * one it was.
 *
 * Time, output, total memory and total disk are checked from outside every 50 ms; between two checks a program can
 * exceed the limits of memory and disk. On Linux the system also limits memory, file size, CPU time and the number of
 * processes.
 */
export interface SandboxLimits {
  /** Maximum duration in milliseconds of wall-clock time. */
  readonly timeoutMs: number;
  /** Maximum memory of all processes of the program together, including kernel memory held for them. */
  readonly memoryBytes: number;
  /** Maximum number of processes and threads. */
  readonly processes: number;
  readonly fileBytes: number;
  /** Maximum bytes of all files that the program writes. */
  readonly diskBytes: number;
  /** Maximum number of files and folders that the program creates. */
  readonly diskEntries: number;
  /** Maximum bytes of standard output and error together; the report shows the end of the output. */
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
