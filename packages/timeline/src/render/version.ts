/**
 * The version of the rendering rules. The version is raised with every change to the bytes that a model receives for
 * the same state; the golden files detect such changes. Earlier rules are kept, so that a past request is rebuilt by
 * the rules of its receipt.
 *
 * | version | what changed |
 * |---|---|
 * | 1 | the first version |
 * | 2 | a note of a hidden block that ends a sentence gets no second full stop |
 * | 3 | headers in content are escaped in any case, behind and between all blanks, and with letters that look alike |
 * | 4 | a result that is read back is shown as content at its path, also when it describes an artifact or an error |
 */
export const RENDERER_VERSION = 4;

/** Whether this program can render by the rules of a version. */
export function isKnownRenderer(version: number): boolean {
  return version >= 1 && version <= RENDERER_VERSION;
}
