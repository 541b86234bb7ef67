/** HTML inside Markdown: its source is shown as plain text. */
import { type ReactNode, useContext } from "react";
import { DocumentContext } from "./reading-context.ts";
import { withoutComments } from "./without-comments.ts";

export function HtmlBlock({ raw }: { readonly raw: string }): ReactNode {
  const text = useShownHtml(raw).trimEnd();
  return text === "" ? null : <p className="whitespace-pre-wrap">{text}</p>;
}

export function HtmlInline({ raw }: { readonly raw: string }): ReactNode {
  return useShownHtml(raw);
}

function useShownHtml(raw: string): string {
  return useContext(DocumentContext) ? withoutComments(raw) : raw;
}
