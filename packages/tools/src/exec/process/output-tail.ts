/** Keeps the end of a program's output, in at most twice its size. Invalid UTF-8 becomes replacement characters. */
export class OutputTail {
  readonly #keep: number;
  #chunks: Buffer[] = [];
  #held = 0;
  #total = 0;

  constructor(keepBytes: number) {
    this.#keep = keepBytes;
  }

  get total(): number {
    return this.#total;
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#held > this.#keep * 2) {
      const kept = Buffer.concat(this.#chunks).subarray(-this.#keep);
      this.#chunks = [Buffer.from(kept)];
      this.#held = kept.length;
    }
  }

  text(): string {
    const all = Buffer.concat(this.#chunks).subarray(-this.#keep);
    let start = 0;
    if (this.#total > all.length) while (start < 4 && ((all[start] ?? 0) & 0xc0) === 0x80) start++;
    return all.subarray(start).toString("utf8");
  }
}
