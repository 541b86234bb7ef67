/** A source as the agent read it, a page or a document of the corpus, opened at the cited passage. */
import type { SourceRow } from "@cairn/timeline";
import { ExternalLink } from "lucide-react";
import { findQuote } from "../markdown/find-quote.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { DocumentContext, KnownSourcesContext } from "../markdown/reading-context.ts";
import { safeLink } from "../markdown/safe-link.ts";
import { sourceText, sourceTitle } from "../markdown/source-text.ts";
import { atWords } from "../markdown/text-fragment.ts";
import { Dialog } from "../ui/dialog.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import { CitedContent } from "./cited-content.tsx";

export interface SourceViewerProps {
  readonly row: SourceRow;
  /** The text before the citation. */
  readonly claim: string;
  readonly onClose: () => void;
}

export default function SourceViewer({ row, claim, onClose }: SourceViewerProps) {
  const text = sourceText(row);
  const link = typeof row.url === "string" ? safeLink(row.url) : null;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="wide"
      title={sourceTitle(row)}
      actions={
        link?.kind === "web" ? (
          <a
            href={atWords(link.href, findQuote(claim, text)?.quoted ?? "")}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="flex h-7 items-center gap-1.5 rounded-lg border border-line px-2.5 text-xs font-medium hover:bg-hover"
          >
            Open the page <ExternalLink className="size-3.5" aria-hidden="true" />
          </a>
        ) : null
      }
    >
      <div className="flex min-h-full flex-col">
        <CitedContent claim={claim}>
          {isMarkdown(row) ? (
            <div {...REACHABLE} className="mx-auto w-full max-w-[44rem] px-6 py-5">
              {/* Text in a source is never a citation of this conversation. */}
              <KnownSourcesContext value={0}>
                <DocumentContext value>
                  <Markdown text={text} />
                </DocumentContext>
              </KnownSourcesContext>
            </div>
          ) : (
            <div
              {...REACHABLE}
              className="mx-auto w-full max-w-[44rem] px-6 py-5 font-serif leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]"
            >
              {text}
            </div>
          )}
        </CitedContent>
      </div>
    </Dialog>
  );
}

/** Only Markdown files of the corpus are formatted. The text of a web source may also be plain text or JSON. */
function isMarkdown({ url }: SourceRow): boolean {
  return typeof url === "string" && /^corpus:.*\.(?:md|markdown)$/i.test(url);
}
