/** A file that does harm to whoever reads it without a limit. */
export interface HostileFile {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}
