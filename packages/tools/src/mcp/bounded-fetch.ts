/**
 * `fetch` for MCP servers of others: the size of a message is limited, because the client keeps a whole message in
 * memory. An event stream may be endless; each of its events is a message.
 */
import { CairnError, JsonCounter } from "@cairn/timeline";
import { MESSAGE_LIMITS } from "./bounded-stdio.ts";

/** Maximum size of a message. The client parses a message at once, which takes a fifth of a second at this size. */
const MAX_BYTES = 32 * 1024 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export function boundedFetch(mostBytes: number = MAX_BYTES): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (answer.body === null) return answer;
    const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const { status, statusText, headers } = answer;
    return new Response(answer.body.pipeThrough(bounding(mostBytes, isStream)), { status, statusText, headers });
  };
}

function bounding(mostBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  const counter = new JsonCounter(MESSAGE_LIMITS);
  return new TransformStream({
    transform(chunk, controller) {
      const end = isStream ? endOfEvent(chunk) : -1;
      bytes = end < 0 ? bytes + chunk.length : chunk.length - end;
      if (bytes > mostBytes)
        throw new CairnError("mcp_too_large", `The MCP server sent a message larger than ${mostBytes} bytes.`);
      if (end >= 0) counter.reset();
      counter.add(end < 0 ? chunk : chunk.subarray(end));
      controller.enqueue(chunk);
    },
  });
}

/** Index after the last empty line of a chunk; -1 when no event ends in it. */
function endOfEvent(chunk: Uint8Array): number {
  for (let at = chunk.length - 1; at > 0; at--) {
    const before = chunk[at - 1] === CARRIAGE_RETURN ? at - 2 : at - 1;
    if (chunk[at] === LINE_FEED && chunk[before] === LINE_FEED) return at + 1;
  }
  return -1;
}
