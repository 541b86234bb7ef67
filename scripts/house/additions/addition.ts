/**
 * A small addition to the project, as a contributor would make it: new files, edits of existing files, and a program
 * that shows that the addition works. `additions.system.test.ts` makes all of them in a copy of the project.
 */
export interface Addition {
  /** The name of the addition, with its article. */
  readonly what: string;
  readonly newFiles: Readonly<Record<string, string>>;
  readonly edits: readonly Edit[];
  /** Arguments for Node in the copy, and the text that Node prints if the addition works. */
  readonly check: { readonly args: readonly string[]; readonly prints: string };
}

/** Adds text after the only occurrence of `behind`. */
interface Edit {
  readonly file: string;
  readonly behind: string;
  readonly add: string;
}

/** Runs JavaScript that imports the packages by name. */
export function script(code: string): readonly string[] {
  return ["--input-type=module", "-e", code];
}
