/** The changelog of a release, from the files of its changes. */

/** The text of a change below its header of packages and kinds. */
export function sentenceOf(file: string): string {
  const [, text] = /^---\n[\s\S]*?\n---\n([\s\S]*)$/.exec(file) ?? [];
  if (text === undefined || text.trim() === "") throw new Error(`A file in .changeset has no text: ${file}`);
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}

/** `changelog` with a section for the release above those of earlier ones. */
export function addRelease(changelog: string, version: string, date: string, changes: readonly string[]): string {
  const at = changelog.indexOf("\n## ");
  if (at < 0) throw new Error("The changelog has no release.");
  const section = `\n## ${version}, ${date}\n\n${changes.map((change) => `- ${change}`).join("\n")}\n`;
  return `${changelog.slice(0, at)}${section}${changelog.slice(at)}`;
}
