/** Live text that is not on the timeline yet, by stream. Pieces have offsets, so a repeated piece changes nothing. */
import type { LiveEvent } from "@cairn/api";

type StreamDelta = LiveEvent<"stream.delta">;
type OpenStream = Pick<StreamDelta, "stream" | "turn_id" | "kind" | "path" | "text">;
export type OpenStreams = ReadonlyMap<string, OpenStream>;

/** The key of one kind of text in a stream, because the thinking and the text of a decision may have the same id. */
export function streamKey({ stream, kind }: Pick<OpenStream, "stream" | "kind">): string {
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
  return new Map(streams).set(key, { ...delta, path: delta.path ?? known?.path, text });
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
