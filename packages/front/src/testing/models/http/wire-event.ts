/** One event of a streamed answer, and its form as a server-sent event. */
export interface WireEvent {
  /** The name in the `event:` line; absent for providers that send only data. */
  readonly event?: string;
  readonly data: string;
  /** `piece`: content as it is generated. `end`: closes a complete message. */
  readonly role?: "piece" | "end";
}

export function spellEvent({ event, data }: WireEvent): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}

/** Splits a text into pieces of this many characters, never inside a surrogate pair. */
export function piecesOf(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + Math.max(1, size));
    const last = text.charCodeAt(to - 1);
    if (last >= 0xd800 && last <= 0xdbff && to < text.length) to++;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
