/** JSON over many lines, so that a change in it is a line and not all of it. */
export function spreadJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json; // Kept as it was stored.
  }
}
