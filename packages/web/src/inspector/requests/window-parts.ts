/** How a request fills the model's window: its parts by their size in tokens, and the tools by name. */
import type { RequestDetail } from "@cairn/api";

export interface WindowPart {
  readonly part: "system" | "tools" | "stable" | "tail" | "answer" | "free";
  readonly name: string;
  readonly tokens: number;
}

export interface ToolSize {
  readonly name: string;
  readonly tokens: number;
}

type Sizes = RequestDetail["request"]["tokens"];
type Window = NonNullable<RequestDetail["window"]>;

export function windowParts({ system, tools, stable, tail }: Sizes, window: Window): readonly WindowPart[] {
  const room = Math.max(0, window.tokens - usedTokens({ system, tools, stable, tail }));
  const answer = Math.min(window.output, room);
  return [
    { part: "system", name: "system", tokens: system },
    { part: "tools", name: "tools", tokens: tools },
    { part: "stable", name: "history", tokens: stable },
    { part: "tail", name: "tail", tokens: tail },
    { part: "answer", name: "for the answer", tokens: answer },
    { part: "free", name: "free", tokens: room - answer },
  ];
}

export function usedTokens({ system, tools, stable, tail }: Sizes): number {
  return system + tools + stable + tail;
}

/** The tools by size, largest first. A receipt has only the sum of all tools, which is divided by their lengths. */
export function toolSizes({ json, tokens }: RequestDetail["tools"]): readonly ToolSize[] {
  const tools = (JSON.parse(json) as readonly { readonly name?: unknown }[]).map((tool) => ({
    name: String(tool.name),
    length: JSON.stringify(tool).length,
  }));
  const total = tools.reduce((sum, { length }) => sum + length, 0);
  return tools
    .map(({ name, length }) => ({ name, tokens: Math.round((tokens * length) / total) }))
    .sort((a, b) => b.tokens - a.tokens);
}
