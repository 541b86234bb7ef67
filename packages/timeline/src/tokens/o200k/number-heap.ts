/** A binary heap of numbers: the lowest one leaves first. */
export class NumberHeap {
  readonly #entries: number[] = [];

  push(entry: number): void {
    const entries = this.#entries;
    let at = entries.length;
    entries.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = entries[parent] ?? entry;
      if (above <= entry) break;
      entries[at] = above;
      at = parent;
    }
    entries[at] = entry;
  }

  pop(): number | undefined {
    const entries = this.#entries;
    const lowest = entries[0];
    const last = entries.pop();
    if (last === undefined || entries.length === 0) return lowest;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= entries.length) break;
      if (child + 1 < entries.length && (entries[child + 1] ?? last) < (entries[child] ?? last)) child++;
      const below = entries[child] ?? last;
      if (below >= last) break;
      entries[at] = below;
      at = child;
    }
    entries[at] = last;
    return lowest;
  }
}
