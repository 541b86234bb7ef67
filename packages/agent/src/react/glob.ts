/**
 * Matches names with wildcards: `*` is any run of characters but `/`, `**` any run at all, `?` one character but `/`. A
 * pattern without `/` is matched against the last name of a path. Letter case does not matter.
 *
 * The matcher keeps the set of pattern positions that are still possible and walks the path once: time is the product
 * of the two lengths at most, whatever the pattern, so no pattern takes exponential time.
 */
export type MatchPath = (path: string) => boolean;

/** Characters are code points; negative values stand for wildcards. */
const ONE = -1;
const MANY = -2;
const ALL = -3;

export function compileGlob(pattern: string): MatchPath {
  const wanted = pattern.toLowerCase();
  const tokens = tokenise(wanted);
  const wholePath = wanted.includes("/");
  return (path) => {
    const lower = path.toLowerCase();
    return matches(tokens, wholePath ? lower : lower.slice(lower.lastIndexOf("/") + 1));
  };
}

function tokenise(pattern: string): Int32Array {
  const tokens: number[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const char = characters[at] ?? "";
    if (char === "?") tokens.push(ONE);
    else if (char !== "*") tokens.push(char.codePointAt(0) ?? 0);
    else if (characters[at + 1] !== "*") tokens.push(MANY);
    else {
      while (characters[at + 1] === "*") at++;
      tokens.push(ALL);
      // `a/**/b` matches `a/b`, too.
      if (characters[at + 1] === "/" && (at < 2 || characters[at - 2] === "/")) at++;
    }
  }
  return Int32Array.from(tokens);
}

const SLASH = 47;

/** Numbers in flat arrays for speed: ten thousand names may have to be matched. */
function matches(tokens: Int32Array, text: string): boolean {
  let possible = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  possible[0] = 1;
  skipRuns(tokens, possible);
  for (const character of text) {
    const char = character.codePointAt(0) ?? 0;
    next.fill(0);
    for (let at = 0; at < tokens.length; at++) {
      if (possible[at] === 0) continue;
      const token = tokens[at];
      if (token === ALL || (token === MANY && char !== SLASH)) next[at] = 1;
      else if (token === char || (token === ONE && char !== SLASH)) next[at + 1] = 1;
    }
    skipRuns(tokens, next);
    [possible, next] = [next, possible];
  }
  return possible[tokens.length] === 1;
}

/** A run may be empty, so the position after it is also possible. */
function skipRuns(tokens: Int32Array, positions: Uint8Array): void {
  for (let at = 0; at < tokens.length; at++)
    if (positions[at] === 1 && (tokens[at] === MANY || tokens[at] === ALL)) positions[at + 1] = 1;
}
