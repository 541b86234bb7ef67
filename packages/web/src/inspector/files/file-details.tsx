/** A file in one of its versions: a preview, its source, and the changes since the previous version. */
import type { ListedFile } from "@cairn/api";
import type { FileView } from "@cairn/timeline";
import { useCallback, useState } from "react";
import { fileAddress } from "../../api/client.ts";
import { useReading } from "../../chat/use-reading.ts";
import { Downloads } from "../../files/downloads.tsx";
import { FileChanges } from "../../files/file-changes.tsx";
import { fileKind } from "../../files/file-kind.ts";
import { FilePreview, FileSource } from "../../files/file-preview.tsx";
import { ReadingContext } from "../../markdown/reading-context.ts";
import { useTurnName } from "../../state/turn-name.ts";
import { formatBytes, formatMoment } from "../../text/format-time.ts";
import { showDirections } from "../../text/shown-directions.ts";
import { goTo } from "../data/place.ts";
import { Choice } from "../parts/choice.tsx";
import { Detail, DetailList } from "../parts/detail-list.tsx";
import { SelectField } from "../parts/fields.tsx";
import { InspectorLink } from "../parts/inspector-link.tsx";

export interface FileDetailsProps {
  readonly conversationId: string;
  readonly file: ListedFile;
  readonly version: number;
}

type View = "preview" | "source" | "changes";
const VIEWS: Readonly<Record<View, string>> = { preview: "Preview", source: "Source", changes: "Changes" };

export function FileDetails({ conversationId, file, version }: FileDetailsProps) {
  const openFile = useCallback(
    (named: FileView) => goTo(conversationId, { tab: "files", path: named.physical_path ?? named.path, version: null }),
    [conversationId],
  );
  const reading = useReading(conversationId, openFile);
  const [wanted, setWanted] = useState<View>(version > 1 ? "changes" : "preview");
  const { physical_path: physical, versions } = file;
  const known = versions.find((each) => each.version === version);
  const writtenIn = useTurnName(known?.turn_id ?? null);
  const kind = fileKind(file.name, file.mime);
  const isText = kind !== "pdf" && kind !== "image" && kind !== "other";
  const { changes, ...same } = VIEWS;
  const views: Partial<Record<View, string>> = isText
    ? { ...same, ...(version > 1 ? { changes } : {}) }
    : { preview: VIEWS.preview };
  const view = views[wanted] === undefined ? "preview" : wanted;
  const address = physical === null ? null : fileAddress(conversationId, physical, version);
  return (
    <div className="flex min-h-full flex-col">
      <header className="flex flex-col gap-3 border-b border-line p-4">
        <h2 className="text-base font-semibold [overflow-wrap:anywhere]">{showDirections(file.name)}</h2>
        <DetailList>
          <Detail name="Path">
            <InspectorLink conversationId={conversationId} to={{ tab: "path", path: file.path }}>
              {file.path}
            </InspectorLink>
          </Detail>
          <Detail name="Media type">{file.mime}</Detail>
          <Detail name="Size">{formatBytes(known?.size_bytes ?? file.size_bytes)}</Detail>
          <Detail name="Written">
            {known?.ts == null ? null : `${formatMoment(known.ts, Date.now())}, ${writtenIn}`}
          </Detail>
        </DetailList>
        <div className="flex flex-wrap items-center gap-2">
          {versions.length > 1 ? (
            <SelectField
              label="Version"
              value={String(version)}
              options={versions.map((each) => [String(each.version), `Version ${each.version}`])}
              onChange={(value) =>
                goTo(
                  conversationId,
                  { tab: "files", path: physical ?? file.path, version: Number(value) },
                  { replace: true },
                )
              }
            />
          ) : null}
          <Choice label="Show" options={views as Record<View, string>} value={view} onChoose={setWanted} />
          <span className="flex-1" />
          {address === null ? null : <Downloads address={address} file={file} />}
        </div>
      </header>
      {address === null || physical === null ? (
        <p className="p-6 text-sm text-soft">This file has no content of its own.</p>
      ) : view === "changes" ? (
        <FileChanges before={fileAddress(conversationId, physical, version - 1)} after={address} />
      ) : view === "source" ? (
        <FileSource address={address} file={file} />
      ) : (
        <ReadingContext value={reading}>
          <FilePreview address={address} file={file} />
        </ReadingContext>
      )}
    </div>
  );
}
