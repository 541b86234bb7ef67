/** Live text that is not on the timeline yet, by stream. Pieces have offsets, so repeated ones change nothing. */
export interface OpenStream {
  readonly stream: string;
  readonly turn_id: string | null;
  /** `say` becomes notes or the answer; `thinking` becomes its reasoning; `write` and `code` become a tool's parameter. */
  readonly kind: string;
  /** The path of a `write`, if known. */
  readonly path: string | null;
  readonly text: string;
}

export type OpenStreams = ReadonlyMap<string, OpenStream>;

export interface StreamDelta extends Omit<OpenStream, "path"> {
  readonly path?: string | null | undefined;
  readonly offset: number;
}

/** The key of a stream of one kind: thinking and text of a decision may have the same id. */
export function streamKey({ stream, kind }: Pick<StreamDelta, "stream" | "kind">): string {
  return `${stream} ${kind}`;
}

export function applyDelta(streams: OpenStreams, delta: StreamDelta): OpenStreams {
  const key = streamKey(delta);
  const known = streams.get(key);
  const before = known?.text ?? "";
  const text =
    delta.offset >= before.length
      ? before + delta.text
      : before.slice(0, delta.offset) + delta.text + before.slice(delta.offset + delta.text.length);
  if (known !== undefined && text === before) return streams;
  const { stream, turn_id, kind } = delta;
  const path = delta.path ?? known?.path ?? null;
  return new Map(streams).set(key, { stream, turn_id, kind, path, text });
}

/** The text of a stream has become a block, or was discarded. */
export function discardStream(streams: OpenStreams, stream: string): OpenStreams {
  return without(streams, (open) => open.stream === stream);
}

export function endStreams(streams: OpenStreams, turnId: string): OpenStreams {
  return without(streams, (open) => open.turn_id === turnId || open.turn_id === null);
}

function without(streams: OpenStreams, ends: (open: OpenStream) => boolean): OpenStreams {
  const left = [...streams].filter(([, open]) => !ends(open));
  return left.length === streams.size ? streams : new Map(left);
}
