/** JSON on many lines, so that a change in it is one line. */
export function spreadJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json; // Text that is not JSON is kept as stored.
  }
}
