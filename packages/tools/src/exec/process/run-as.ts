/**
 * Who a sandbox runs as. Root can do too much even where it has no capabilities left (files of the kernel belong to it),
 * so a server that runs as root starts programs as `nobody`. Anyone else starts them as themselves.
 */
export interface ProcessOwner {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: ProcessOwner = { uid: 65_534, gid: 65_534 };

/** Null when the programs run as whoever runs this process. */
export function sandboxOwner(): ProcessOwner | null {
  return process.getuid?.() === 0 ? NOBODY : null;
}
