/**
 * Matches names with wildcards: `*` is any run of characters but `/`, `**` any run at all, `?` one character but `/`. A
 * pattern without `/` is matched against the last name of a path. Letter case does not matter.
 *
 * The matcher walks the path once and keeps the set of positions in the pattern that are still possible. So its time is
 * at most the product of both lengths, and no pattern takes exponential time.
 */
export type MatchPath = (path: string) => boolean;

/** A character of the pattern, as its code point, or a wildcard: `?`, `*` or `**`. */
type Token = number | "one" | "many" | "all";

export function compileGlob(pattern: string): MatchPath {
  const wanted = pattern.toLowerCase();
  const tokens = tokenise(wanted);
  const wholePath = wanted.includes("/");
  return (path) => {
    const lower = path.toLowerCase();
    return matches(tokens, wholePath ? lower : lower.slice(lower.lastIndexOf("/") + 1));
  };
}

function tokenise(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const char = characters[at] ?? "";
    if (char === "?") tokens.push("one");
    else if (char !== "*") tokens.push(char.codePointAt(0) ?? 0);
    else if (characters[at + 1] !== "*") tokens.push("many");
    else {
      while (characters[at + 1] === "*") at++;
      tokens.push("all");
      // `a/**/b` matches `a/b`, too.
      if (characters[at + 1] === "/" && (at < 2 || characters[at - 2] === "/")) at++;
    }
  }
  return tokens;
}

const SLASH = 47;

/** A search may match ten thousand names, so the positions are bytes in two arrays that are used in turn. */
function matches(tokens: readonly Token[], text: string): boolean {
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
      if (token === "all" || (token === "many" && char !== SLASH)) next[at] = 1;
      else if (token === char || (token === "one" && char !== SLASH)) next[at + 1] = 1;
    }
    skipRuns(tokens, next);
    [possible, next] = [next, possible];
  }
  return possible[tokens.length] === 1;
}

/** A `*` also matches nothing, so the position after it is also possible. */
function skipRuns(tokens: readonly Token[], positions: Uint8Array): void {
  for (let at = 0; at < tokens.length; at++)
    if (positions[at] === 1 && (tokens[at] === "many" || tokens[at] === "all")) positions[at + 1] = 1;
}
