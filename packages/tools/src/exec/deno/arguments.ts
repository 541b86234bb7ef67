/**
 * How Deno is started: a program may read and write the folders it is given and nothing else. It has no network, no
 * other program, no foreign functions, no remote packages or modules, no prompts.
 *
 * A program may read and change a few environment variables; all others count as unset and cannot be changed.
 * Environment variables tell system libraries what to load: a program that could set them could load its own code past
 * all permissions. Graphics, for which Deno loads drivers without asking for permission, are disabled.
 */

/** Variables that programs need; none of them makes a library load a file. */
const VARIABLES = ["OUTPUT_DIR", "OUT_DIR", "HOME", "TMPDIR", "LANG", "TZ", "NO_COLOR", "PATH", "PWD"];

export interface DenoStart {
  readonly read: readonly string[];
  readonly write: readonly string[];
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

/** Joins paths with commas. A comma inside a path is doubled. */
function list(paths: readonly string[]): string {
  return paths.map((path) => path.replaceAll(",", ",,")).join(",");
}

export function denoEnvironment(scratch: string): Record<string, string> {
  return {
    DENO_DIR: `${scratch}/deno`,
    DENO_NO_UPDATE_CHECK: "1",
    DENO_DISABLE_NODE_SHIM: "1",
    // A name that no graphics driver has, so that WebGPU loads none.
    DENO_WEBGPU_BACKEND: "none",
    HOME: scratch,
    TMPDIR: scratch,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    TZ: "UTC",
    // Windows cannot start a process without this variable.
    ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
  };
}
