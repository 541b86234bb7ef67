/** Formats JSON over many lines, so that a comparison by lines shows small changes. */
export function spreadJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json; // Text that is not JSON stays as it is.
  }
}
