/**
 * The Linux sandbox as arguments of bubblewrap: separate namespaces, no capabilities and no way to regain any, a root
 * with only programs and libraries, and the stage.
 *
 * Everything writable has a size limit: the writable parts of the stage, of which `/tmp` is one, are watched.
 * `/dev/shm` is limited memory, and its entries are watched. All other parts, including the root and `/dev`, are
 * read-only.
 */
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import type { SandboxLimits } from "../process/limits.ts";
import type { Stage } from "../stage/stage.ts";

/** The path of the stage inside the sandbox. */
export const STAGE_INSIDE = "/cairn";

export interface Interpreter {
  /** Path of the interpreter inside the sandbox. */
  readonly command: string;
  readonly args: readonly string[];
  /** Further files that the interpreter needs, as pairs of a path outside and inside the sandbox. */
  readonly binds: readonly (readonly [string, string])[];
  /** Address space that the interpreter needs before the program begins. */
  readonly overheadBytes: number;
}

/** Folders with libraries and programs. On systems where everything is below /usr, these folders are links. */
const SYSTEM_FOLDERS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Files that the dynamic linker, numerical libraries and drawing libraries read. */
const SETTINGS = ["/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/matplotlibrc"];
/** Folders below /usr with files of the machine's administrators, which programs must not see. */
const PRIVATE = ["/usr/local/etc", "/usr/local/src"];
const SHARED_BYTES = 64 * 1024 * 1024;

export function sandboxArguments(
  stage: Stage,
  limits: SandboxLimits,
  interpreter: Interpreter,
  filterDescriptor: number,
): readonly string[] {
  const { command, args, binds, overheadBytes } = interpreter;
  const seconds = Math.ceil(limits.timeoutMs / 1000) + 1;
  return [
    ...["--unshare-all", "--unshare-user", "--disable-userns", "--new-session", "--die-with-parent"],
    ...["--cap-drop", "ALL", "--hostname", "sandbox", "--seccomp", String(filterDescriptor)],
    ...systemArguments(),
    ...binds.flatMap(([outside, inside]) => ["--ro-bind", outside, inside]),
    ...["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"],
    // /dev/full replaces /dev/zero, which could be mapped: memory shared in this way counts for no process.
    ...["--dev-bind", "/dev/full", "/dev/zero"],
    ...["--size", String(SHARED_BYTES), "--tmpfs", "/dev/shm", "--bind", stage.path("tmp"), "/tmp"],
    ...["--ro-bind", stage.root, STAGE_INSIDE],
    ...stage.writable.flatMap((folder) => ["--bind", stage.path(folder), `${STAGE_INSIDE}/${folder}`]),
    ...["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", `${STAGE_INSIDE}/out`],
    ...["--clearenv", ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ["--setenv", name, value])],
    "--",
    "/usr/bin/prlimit",
    `--nproc=${limits.processes}`,
    `--fsize=${limits.fileBytes}`,
    `--data=${limits.memoryBytes + overheadBytes}`,
    `--cpu=${seconds}:${seconds}`,
    ...["--core=0", "--nofile=512", "--memlock=65536", "--msgqueue=0"],
    command,
    ...args,
  ];
}

const ENVIRONMENT = {
  PATH: "/usr/bin:/bin",
  HOME: "/tmp",
  TMPDIR: "/tmp",
  USER: "sandbox",
  LANG: "C.UTF-8",
  TZ: "UTC",
  MPLBACKEND: "Agg",
} as const;

function systemArguments(): readonly string[] {
  const found = ["--ro-bind", "/usr", "/usr"];
  for (const folder of PRIVATE) if (existsSync(folder)) found.push("--tmpfs", folder, "--remount-ro", folder);
  for (const folder of SYSTEM_FOLDERS) {
    if (!existsSync(folder)) continue;
    if (lstatSync(folder).isSymbolicLink()) found.push("--symlink", readlinkSync(folder), folder);
    else found.push("--ro-bind", folder, folder);
  }
  for (const setting of SETTINGS) found.push("--ro-bind-try", setting, setting);
  return found;
}
