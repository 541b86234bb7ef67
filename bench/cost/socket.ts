/**
 * The requests that arrived on the socket, as a cache sees them: their times, their blocks, and which blocks are the
 * tail.
 */
import type { TimedRequest } from "@cairn/testkit/cache";
import type { RecordedRequest } from "@cairn/testkit/models";
import { TRACE_STARTED_AT } from "@cairn/testkit/turns";
import type { Json } from "@cairn/timeline";

/** How the parts of the tail begin. No content can forge such a line. */
const TAIL = /^(?:SOURCES POOL|\[ANNOUNCE\])/;

export function socketRequests(recorded: readonly RecordedRequest[]): TimedRequest[] {
  return recorded.map(({ at, body, prompt, refusal }) => {
    if (refusal !== null || prompt === null) throw new Error(`A request was refused: ${refusal}`);
    const texts = textsIn(body);
    const tail = texts.findIndex((text) => TAIL.test(text));
    const behind = tail === -1 ? 0 : texts.length - tail;
    return {
      t: (at - TRACE_STARTED_AT) / 1_000,
      blocks: withKinds(prompt.blocks, behind),
      breakpoints: prompt.breakpoints,
    };
  });
}

/** The last `tail` blocks are the tail. OpenAI's system text is an ordinary item: the first one after the tools. */
function withKinds(blocks: TimedRequest["blocks"], tail: number): TimedRequest["blocks"] {
  const system = blocks.findIndex(({ kind }) => kind !== "tools");
  return blocks.map((block, at) => {
    if (at >= blocks.length - tail) return { ...block, kind: "tail" };
    return at === system ? { ...block, kind: "system" } : block;
  });
}

/** The texts of the messages, in order, without those of tools and of Anthropic's system text. */
function textsIn(body: Json | null): string[] {
  const { messages, input } = (body ?? {}) as { readonly messages?: Content[]; readonly input?: Content[] };
  return (messages ?? input ?? []).flatMap(({ content }) =>
    typeof content === "string" ? [content] : (content ?? []).map(({ text }) => text ?? ""),
  );
}

interface Content {
  readonly content?: string | readonly { readonly text?: string }[];
}
