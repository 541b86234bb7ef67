/** A file that harms programs that read it without a limit. */
export interface HostileFile {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}
