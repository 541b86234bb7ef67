/**
 * Names with wildcards: `*` is any run of characters but `/`, `**` any run at all, `?` one character but `/`. A pattern
 * without `/` is matched against the last name of a path. Letter case does not matter.
 *
 * The matcher keeps the set of pattern positions that are still possible and walks the path once: time is the product
 * of the two lengths at most, whatever the pattern. There is no way to write one that takes exponentially long.
 */
export type MatchPath = (path: string) => boolean;

type Token = { readonly kind: "char"; readonly char: string } | { readonly kind: "one" | "many" | "all" };

export function compileGlob(pattern: string): MatchPath {
  const wanted = pattern.toLowerCase();
  const tokens = tokenise(wanted);
  const wholePath = wanted.includes("/");
  return (path) => {
    const lower = path.toLowerCase();
    return matches(tokens, wholePath ? lower : lower.slice(lower.lastIndexOf("/") + 1));
  };
}

function tokenise(pattern: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const char = characters[at] ?? "";
    if (char === "?") tokens.push({ kind: "one" });
    else if (char !== "*") tokens.push({ kind: "char", char });
    else if (characters[at + 1] !== "*") tokens.push({ kind: "many" });
    else {
      while (characters[at + 1] === "*") at++;
      tokens.push({ kind: "all" });
      // `a/**/b` matches `a/b`, too.
      if (characters[at + 1] === "/" && (at < 2 || characters[at - 2] === "/")) at++;
    }
  }
  return tokens;
}

function matches(tokens: readonly Token[], text: string): boolean {
  let possible = skipRuns(tokens, new Set([0]));
  for (const char of text) {
    const next = new Set<number>();
    for (const at of possible) {
      const token = tokens[at];
      if (token === undefined) continue;
      if (token.kind === "all" || (token.kind === "many" && char !== "/")) next.add(at);
      else if (token.kind === "char" ? token.char === char : token.kind === "one" && char !== "/") next.add(at + 1);
    }
    if (next.size === 0) return false;
    possible = skipRuns(tokens, next);
  }
  return possible.has(tokens.length);
}

/** A run may be empty: the position behind it is possible as well. Sets grow while they are walked. */
function skipRuns(tokens: readonly Token[], positions: Set<number>): Set<number> {
  for (const at of positions) {
    const kind = tokens[at]?.kind;
    if (kind === "many" || kind === "all") positions.add(at + 1);
  }
  return positions;
}
