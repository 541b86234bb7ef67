/** One figure of the store's benchmark. */
export interface StoreResult {
  readonly subject: string;
  readonly name: string;
  readonly rounds: number;
  readonly value: number;
  readonly unit: "ms" | "KB";
}

export function findResult(results: readonly StoreResult[], subject: string, name: string, rounds: number): number {
  const found = results.find((each) => each.subject === subject && each.name === name && each.rounds === rounds);
  if (found === undefined) throw new Error(`No measurement of ${subject}, ${name} at ${rounds} rounds.`);
  return found.value;
}
