/**
 * The shares of a summary: directives have a fifth of it, prose a third, paths the rest.
 *
 * A part that needs less than its share passes the rest on. Tokens that prose leaves go to directives first; other
 * leftovers go to directives, paths and prose, in this order. So no part falls below its share because of another part,
 * and no token stays unused while a part needs more.
 */
export interface Shares {
  readonly directives: number;
  readonly prose: number;
  readonly paths: number;
}

/** Tokens for each part of `cap`, never more than the part needs. */
export function shareCap(cap: number, wanted: Shares): Shares {
  const directives = Math.floor(cap / 5);
  const prose = Math.floor(cap / 3);
  const share: Shares = { directives, prose, paths: cap - directives - prose };
  const given = {
    directives: Math.min(wanted.directives, share.directives),
    prose: Math.min(wanted.prose, share.prose),
    paths: Math.min(wanted.paths, share.paths),
  };
  let left = cap - given.directives - given.prose - given.paths;
  for (const part of ["directives", "paths", "prose"] as const) {
    const more = Math.min(left, wanted[part] - given[part]);
    given[part] += more;
    left -= more;
  }
  return given;
}
