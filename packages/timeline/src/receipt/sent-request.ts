/**
 * A request as caches compare it: tools, then system text, then stable message blocks, each by its hash. What was
 * declared since the request before it travels along; texts do where they are at hand, and explanations are better
 * for them. The tail is no part of it: it is never cached.
 */
import { hashMessage, hashText } from "../cache/hash.ts";
import type { DeclaredReset } from "../cache/reset.ts";
import type { MessageBlock } from "../render/message.ts";
import type { RenderedView } from "../render/rendered-view.ts";

/** A tool as it is sent: its name and whatever else the provider gets, as an object of any type or spelled out. */
export type SentTool = { readonly name: string } | { readonly name: string; readonly [field: string]: unknown };

export interface SentRequest {
  /** In the order sent. */
  readonly tools: readonly { readonly name: string; readonly hash: string; readonly text?: string }[];
  /** Names the system text. */
  readonly system: string;
  readonly systemText?: string | undefined;
  /** Number of stable message blocks. */
  readonly length: number;
  hashAt(index: number): string | undefined;
  messageAt?(index: number): MessageBlock | undefined;
  /** Declared between the request before and this one. */
  readonly resets: readonly DeclaredReset[];
}

export interface RequestParts {
  readonly tools?: readonly SentTool[];
  readonly system?: string;
  readonly resets?: readonly DeclaredReset[];
}

/** A request as it stands in memory, texts included. Of a view the stable part counts, of a list everything. */
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

/** The bytes a tool is named by. The order of its keys counts, as it does for a provider's cache. */
export function toolText(tool: SentTool): string {
  return JSON.stringify(tool);
}
