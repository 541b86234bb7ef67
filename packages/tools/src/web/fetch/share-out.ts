/** Divides characters among texts: equal shares, and short texts leave the rest to longer ones. */
export function shareOut(lengths: readonly number[], total: number): number[] {
  const shares = lengths.map(() => 0);
  const ascending = [...lengths.entries()].sort(([, a], [, b]) => a - b);
  let left = total;
  for (const [nth, [at, length]] of ascending.entries()) {
    const share = Math.min(length, Math.floor(left / (ascending.length - nth)));
    shares[at] = share;
    left -= share;
  }
  return shares;
}
