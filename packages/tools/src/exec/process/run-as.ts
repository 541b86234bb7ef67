/**
 * The user that runs sandboxed programs. Root can do too much even without capabilities, because it owns the kernel's
 * files, so a server that runs as root starts programs as `nobody`. Any other user starts them as itself.
 */
export interface ProcessOwner {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: ProcessOwner = { uid: 65_534, gid: 65_534 };

/** Null when programs run as the current user. */
export function sandboxOwner(): ProcessOwner | null {
  return process.getuid?.() === 0 ? NOBODY : null;
}
