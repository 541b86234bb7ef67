/** Maximum levels of the parameters of a call. */
export const MAX_PARAMS_DEPTH = 100;

/**
 * The nesting depth of JSON, from its text. A few kilobytes of brackets make a value that recursive code cannot
 * process, so the depth must be known before parsing.
 */
export function nestingOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (inString) {
      if (character === "\\") index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}
