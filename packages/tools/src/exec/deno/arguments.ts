/**
 * How Deno is started: it may read and write the folders it is given and nothing else. No network, no other program, no
 * foreign function, no package and no module from elsewhere, no question to whoever sits at the terminal.
 *
 * Of its environment it has a few names, which it may also change; every other counts as not set and stays as it is.
 * Libraries of the system are told by variables what to load: a program that could set one would have code of its own
 * loaded past all permissions. Graphics, for which Deno asks no permission and loads drivers, are switched off.
 */

/** What programs ask for; none of them leads a library to a file. */
const VARIABLES = ["OUTPUT_DIR", "OUT_DIR", "HOME", "TMPDIR", "LANG", "TZ", "NO_COLOR", "PATH", "PWD"];

export interface DenoStart {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** The script and its arguments. */
  readonly script: readonly string[];
  readonly v8Flags?: readonly string[];
}

export const COMMON_FLAGS: readonly string[] = [
  ...["--quiet", "--no-prompt", "--no-config", "--no-lock", "--no-npm", "--no-remote", "--cached-only"],
  "--no-code-cache",
];

export function denoArguments({ read, write, script, v8Flags = [] }: DenoStart): string[] {
  return [
    "run",
    ...COMMON_FLAGS,
    `--allow-env=${VARIABLES.join(",")}`,
    "--ignore-env",
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
    DENO_DISABLE_NODE_SHIM: "1",
    // The name of no driver.
    DENO_WEBGPU_BACKEND: "none",
    HOME: scratch,
    TMPDIR: scratch,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    TZ: "UTC",
    // Windows starts nothing without it.
    ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
  };
}
