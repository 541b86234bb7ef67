/** An open file: a preview by its kind, its source, its versions and the changes between them. Loaded on demand. */
import type { FileVersion } from "@cairn/api";
import type { FileView } from "@cairn/timeline";
import { useEffect, useState } from "react";
import { fileAddress, listFiles } from "../api/client.ts";
import { useApp } from "../state/app-state.ts";
import { formatBytes } from "../text/format-time.ts";
import { showDirections } from "../text/shown-directions.ts";
import { Boundary } from "../ui/boundary.tsx";
import { cx } from "../ui/class-names.ts";
import { Dialog } from "../ui/dialog.tsx";
import { CitedContent } from "./cited-content.tsx";
import { Downloads } from "./downloads.tsx";
import { FileChanges } from "./file-changes.tsx";
import { fileKind } from "./file-kind.ts";
import { filePlace } from "./file-place.ts";
import { FilePreview, FileSource } from "./file-preview.tsx";

export interface FileViewerProps {
  readonly conversationId: string;
  readonly file: FileView;
  /** The text before the citation that led here; null when the file was opened directly. */
  readonly claim?: string | null;
  readonly onClose: () => void;
}

const UNDRAWN = (
  <p role="alert" className="p-6 text-sm text-danger">
    The file cannot be shown here. Reload the page, or download the file.
  </p>
);
const NO_TURNS: readonly never[] = [];

type Tab = "preview" | "source" | "changes";
const TAB_NAMES: Readonly<Record<Tab, string>> = { preview: "Preview", source: "Source", changes: "Changes" };

export default function FileViewer({ conversationId, file, claim = null, onClose }: FileViewerProps) {
  const versions = useVersions(conversationId, file);
  const [version, setVersion] = useState(file.version);
  const [tab, setTab] = useState<Tab>("preview");
  const n = versions.find((each) => each.version === version)?.turn ?? null;
  const place = useApp(({ session }) => filePlace(file.path, session?.view.turns ?? NO_TURNS, n));
  const kind = fileKind(file.name, file.mime);
  const isText = kind !== "pdf" && kind !== "image" && kind !== "other";
  const physical = file.physical_path;
  // For code and plain text, the source serves as the preview.
  const hasSource = isText && kind !== "code" && kind !== "text";
  const tabs: Tab[] = ["preview"];
  if (hasSource) tabs.push("source");
  if (isText && version > 1) tabs.push("changes");
  const shown = tabs.includes(tab) ? tab : "preview";
  const size = versions.find((each) => each.version === version)?.size_bytes ?? file.size_bytes;
  const address = physical === null ? null : fileAddress(conversationId, physical, version);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="wide"
      title={showDirections(file.name)}
      actions={
        <>
          {versions.length > 1 ? (
            <select
              aria-label="Version"
              value={version}
              onChange={(event) => setVersion(Number(event.target.value))}
              className="h-7 rounded-lg border border-line bg-surface px-2 text-xs"
            >
              {versions.map((each) => (
                <option key={each.version} value={each.version}>
                  Version {each.version}
                </option>
              ))}
            </select>
          ) : null}
          {address === null ? null : <Downloads address={address} file={file} />}
        </>
      }
    >
      <div className="flex min-h-full flex-col">
        <div className="sticky top-0 z-10 flex items-center gap-4 border-b border-line bg-surface px-4">
          <div role="tablist" aria-label="View" className="flex gap-1">
            {tabs.map((each) => (
              <button
                key={each}
                type="button"
                role="tab"
                aria-selected={shown === each}
                onClick={() => setTab(each)}
                className={cx(
                  "-mb-px border-b-2 px-2 py-2 text-sm",
                  shown === each ? "border-accent font-medium" : "border-transparent text-soft hover:text-ink",
                )}
              >
                {TAB_NAMES[each]}
              </button>
            ))}
          </div>
          <p title={file.path} dir="auto" className="ml-auto truncate text-2xs text-faint">
            {showDirections(place)} · {formatBytes(size)}
          </p>
        </div>
        <Boundary key={`${shown} ${version}`} fallback={UNDRAWN}>
          {address === null ? (
            <p className="p-6 text-sm text-soft">This file has no content of its own.</p>
          ) : shown === "changes" && physical !== null ? (
            <FileChanges before={fileAddress(conversationId, physical, version - 1)} after={address} />
          ) : shown === "source" ? (
            <FileSource address={address} file={file} />
          ) : claim === null || kind === "pdf" || !isText ? (
            <FilePreview address={address} file={file} claim={claim} />
          ) : (
            <CitedContent claim={claim}>
              <FilePreview address={address} file={file} />
            </CitedContent>
          )}
        </Boundary>
      </div>
    </Dialog>
  );
}

type ShownVersion = Pick<FileVersion, "version" | "size_bytes"> & Partial<Pick<FileVersion, "turn">>;

/** The versions of a file, newest last. Until the server has answered, only the shown version is known. */
function useVersions(conversationId: string, file: FileView): readonly ShownVersion[] {
  const [versions, setVersions] = useState<readonly ShownVersion[]>([file]);
  useEffect(() => {
    const control = new AbortController();
    listFiles(conversationId, { signal: control.signal })
      .then((files) => {
        const listed = files.find(({ path }) => path === file.path)?.versions ?? [];
        if (listed.length > 0) setVersions(listed);
      })
      .catch(() => undefined); // Without an answer of the server, the file is shown without its history.
    return () => control.abort();
  }, [conversationId, file.path]);
  return versions;
}
