/** The user that runs programs: `nobody` instead of root, who owns the kernel's files; otherwise the current user. */
export interface ProcessOwner {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: ProcessOwner = { uid: 65_534, gid: 65_534 };

/** The user that programs run as; null for the current user. */
export function sandboxOwner(): ProcessOwner | null {
  return process.getuid?.() === 0 ? NOBODY : null;
}
