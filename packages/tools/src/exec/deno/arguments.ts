/**
 * How Deno is started: it may read and write the folders it is given and nothing else. No network, no other program, no
 * foreign function, no package and no module from elsewhere, no question to whoever sits at the terminal. It may read
 * its environment, as there is nothing in it.
 */
export interface DenoStart {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** The script and its arguments. */
  readonly script: readonly string[];
  readonly v8Flags?: readonly string[];
}

export function denoArguments({ read, write, script, v8Flags = [] }: DenoStart): string[] {
  return [
    "run",
    ...[
      "--quiet",
      "--no-prompt",
      "--no-config",
      "--no-lock",
      "--no-npm",
      "--no-remote",
      "--cached-only",
      "--no-code-cache",
    ],
    "--allow-env",
    `--allow-read=${list(read)}`,
    ...(write.length === 0 ? [] : [`--allow-write=${list(write)}`]),
    ...(v8Flags.length === 0 ? [] : [`--v8-flags=${v8Flags.join(",")}`]),
    ...script,
  ];
}

/** A comma parts two paths, and two commas are one in a path. */
function list(paths: readonly string[]): string {
  return paths.map((path) => path.replaceAll(",", ",,")).join(",");
}

export function denoEnvironment(scratch: string): Record<string, string> {
  return {
    DENO_DIR: `${scratch}/deno`,
    DENO_NO_UPDATE_CHECK: "1",
    HOME: scratch,
    TMPDIR: scratch,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    TZ: "UTC",
    // Windows starts nothing without it.
    ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
  };
}
