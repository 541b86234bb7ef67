/** Markdown on the page. While a text grows, only its last block is rendered again. */
import type { Token } from "marked";
import { memo, useMemo, useRef } from "react";
import { cx } from "../ui/class-names.ts";
import { BlockToken } from "./block-token.tsx";
import { GrowingText } from "./growing-text.ts";
import { lexMarkdown } from "./lex.ts";

export interface MarkdownProps {
  readonly text: string;
  /** Whether more text will arrive, so that the last block is not finished. */
  readonly isOpen?: boolean;
  /** Whether to use the small style for the agent's notes. */
  readonly isCompact?: boolean;
}

export function Markdown({ text, isOpen = false, isCompact = false }: MarkdownProps) {
  const growing = useRef<GrowingText | null>(null);
  growing.current ??= new GrowingText();
  const reader = growing.current;
  const tokens = useMemo(() => (isOpen ? reader.read(text) : lexMarkdown(text)), [reader, text, isOpen]);
  return (
    <div className={cx("prose", isCompact && "compact")}>
      {tokens.map((token, index) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever come at the end, so the place is the identity.
          key={index}
          token={token}
          isOpen={isOpen && index === tokens.length - 1}
        />
      ))}
    </div>
  );
}

const Block = memo(
  ({ token, isOpen }: { readonly token: Token; readonly isOpen: boolean }) => (
    <BlockToken token={token} isOpen={isOpen} />
  ),
  (before, after) => before.token.raw === after.token.raw && before.isOpen === after.isOpen,
);
