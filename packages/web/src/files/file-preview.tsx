/** The preview of a file: HTML in an isolated frame, SVG and diagrams as pictures. No script of the file runs. */
import type { FileView } from "@cairn/timeline";
import { lazy, type ReactNode, Suspense } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { DocumentContext, KnownSourcesContext } from "../markdown/reading-context.ts";
import { DataTable } from "./data-table.tsx";
import { DiagramPreview } from "./diagram-preview.tsx";
import { fileKind, languageOf } from "./file-kind.ts";
import { HtmlPreview } from "./html-preview.tsx";
import { Picture, SourceText, Waiting } from "./preview-parts.tsx";
import { svgSource } from "./svg-source.ts";
import { useFileText } from "./use-file-text.ts";

const PdfPages = lazy(() => import("./pdf-pages.tsx"));

export interface FilePreviewProps {
  readonly address: string;
  readonly file: FileView;
}

/** `claim`: the text before a citation; a PDF opens at the cited passage. */
export function FilePreview({ address, file, claim = null }: FilePreviewProps & { readonly claim?: string | null }) {
  switch (fileKind(file.name, file.mime)) {
    case "pdf":
      return (
        <Suspense fallback={<Waiting />}>
          <PdfPages address={address} claim={claim} />
        </Suspense>
      );
    case "image":
      return <Picture src={address} name={file.name} />;
    case "svg":
      return <Text address={address}>{(text) => <Picture src={svgSource(text)} name={file.name} />}</Text>;
    case "html":
      return <Text address={address}>{(text) => <HtmlPreview text={text} name={file.name} />}</Text>;
    case "diagram":
      return <Text address={address}>{(text) => <DiagramPreview text={text} name={file.name} />}</Text>;
    case "markdown":
      return (
        <Text address={address}>
          {(text) => (
            <div className="mx-auto w-full max-w-[44rem] px-6 py-6">
              <KnownSourcesContext value={file.sources_known}>
                <DocumentContext value>
                  <Markdown text={text} />
                </DocumentContext>
              </KnownSourcesContext>
            </div>
          )}
        </Text>
      );
    case "table":
      return <Text address={address}>{(text) => <DataTable text={text} />}</Text>;
    case "code":
    case "text":
      return <FileSource address={address} file={file} />;
    default:
      return (
        <p className="m-auto p-10 text-sm text-soft">
          There is no preview for this kind of file. Download it to open it.
        </p>
      );
  }
}

export function FileSource({ address, file }: FilePreviewProps) {
  return (
    <Text address={address}>{(text) => <SourceText text={text} language={languageOf(file.name, file.mime)} />}</Text>
  );
}

function Text({ address, children }: { readonly address: string; readonly children: (text: string) => ReactNode }) {
  const state = useFileText(address);
  if (state.phase === "loading") return <Waiting />;
  if (state.phase === "failed")
    return <p className="p-6 text-sm text-danger">The file could not be loaded: {state.problem}</p>;
  return (
    <>
      {children(state.text)}
      {state.isCut ? (
        <p className="px-6 pb-6 text-sm text-faint">Only the beginning is shown. Download the file for the rest.</p>
      ) : null}
    </>
  );
}
