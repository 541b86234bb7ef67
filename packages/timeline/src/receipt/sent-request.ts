/**
 * A request as caches compare it: tools, then system text, then stable message blocks, each by its hash. This form
 * includes the resets declared since the request before, and the texts if they are available, which improve
 * explanations. The tail is not included, because it is never cached.
 */
import { hashMessage, hashText } from "../cache/hash.ts";
import type { DeclaredReset } from "../cache/reset.ts";
import type { MessageBlock } from "../message/message.ts";
import type { RenderedView } from "../render/rendered-view.ts";

/** A tool as it is sent: its name, and the rest of its definition as an object of any type or as a string. */
export type SentTool = { readonly name: string } | { readonly name: string; readonly [field: string]: unknown };

export interface SentRequest {
  /** The tools in the order in which they were sent. */
  readonly tools: readonly { readonly name: string; readonly hash: string; readonly text?: string }[];
  readonly system: string;
  readonly systemText?: string | undefined;
  /** Number of stable message blocks. */
  readonly length: number;
  hashAt(index: number): string | undefined;
  messageAt?(index: number): MessageBlock | undefined;
  /** Changes of the prefix that were declared between the previous request and this one. */
  readonly resets: readonly DeclaredReset[];
}

export interface RequestParts {
  readonly tools?: readonly SentTool[];
  readonly system?: string;
  readonly resets?: readonly DeclaredReset[];
}

/** A request from memory, including its texts. Of a view, only the stable part counts; of a list, all messages. */
export function sentRequestOf(blocks: RenderedView | readonly MessageBlock[], parts: RequestParts = {}): SentRequest {
  const { tools = [], system = "", resets = [] } = parts;
  const length = "stableLength" in blocks ? blocks.stableLength : blocks.length;
  const messageAt = (index: number) => (index < length ? blocks.at(index) : undefined);
  return {
    tools: tools.map((tool) => {
      const text = toolText(tool);
      return { name: tool.name, hash: hashText(text), text };
    }),
    system: `sha256:${hashText(system)}`,
    systemText: system,
    length,
    messageAt,
    hashAt(index) {
      const message = messageAt(index);
      return message === undefined ? undefined : hashMessage(message);
    },
    resets,
  };
}

/** The text from which a tool's hash is made. The order of keys matters, as it does for a provider's cache. */
export function toolText(tool: SentTool): string {
  return JSON.stringify(tool);
}
