/** The files of a conversation with every version, and the changes between them. */
import type { ListedFile } from "@cairn/api";
import { FolderOpen } from "lucide-react";
import { useCallback } from "react";
import { listFiles } from "../../api/client.ts";
import { FileIcon } from "../../files/file-icon.tsx";
import { Link } from "../../route/link.tsx";
import { plural } from "../../text/format-count.ts";
import { formatBytes } from "../../text/format-time.ts";
import { showDirections } from "../../text/shown-directions.ts";
import { cx } from "../../ui/class-names.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { routeTo } from "../data/place.ts";
import { useJournalSeq } from "../data/use-journal-seq.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { SplitView } from "../parts/split-view.tsx";
import { Problem, Waiting } from "../parts/states.tsx";
import { VirtualItems } from "../parts/virtual-items.tsx";
import { FileDetails } from "./file-details.tsx";

export interface FilesPageProps {
  readonly conversationId: string;
  /** Physical or logical path of the chosen file; null when none is chosen. */
  readonly path: string | null;
  readonly version: number | null;
}

export function FilesPage({ conversationId, path, version }: FilesPageProps) {
  const seq = useJournalSeq(conversationId);
  const load = useCallback((signal: AbortSignal) => listFiles(conversationId, { signal }), [conversationId]);
  const { value: files, problem, reload } = useLoaded(conversationId, "files", load, seq);
  if (files === null)
    return problem === null ? (
      <Waiting label="Loading the files" />
    ) : (
      <Problem title="The files could not be loaded" problem={problem} onRetry={reload} />
    );
  if (files.length === 0)
    return (
      <EmptyState icon={<FolderOpen />} title="No files yet">
        Attachments and files the agent writes will appear here, with every version.
      </EmptyState>
    );
  const chosen = files.find((file) => file.physical_path === path || file.path === path);
  return (
    <SplitView
      list={
        <VirtualItems name="Files" items={files} keyOf={(file) => file.path} height={52}>
          {(file) => <FileItem conversationId={conversationId} file={file} isChosen={file === chosen} />}
        </VirtualItems>
      }
      details={
        path === null ? null : chosen === undefined ? (
          <EmptyState icon={<FolderOpen />} title="There is no such file">
            <span className="font-mono [overflow-wrap:anywhere]">{path}</span>
          </EmptyState>
        ) : (
          <FileDetails
            key={chosen.path}
            conversationId={conversationId}
            file={chosen}
            version={version ?? chosen.version}
          />
        )
      }
      detailsName={chosen?.name ?? "File"}
      back={routeTo(conversationId, { tab: "files", path: null, version: null })}
      backName="All files"
    />
  );
}

interface FileItemProps {
  readonly conversationId: string;
  readonly file: ListedFile;
  readonly isChosen: boolean;
}

function FileItem({ conversationId, file, isChosen }: FileItemProps) {
  return (
    <Link
      to={routeTo(conversationId, { tab: "files", path: file.physical_path ?? file.path, version: null })}
      {...(isChosen ? { "aria-current": "true" } : {})}
      className={cx(
        "flex items-center gap-3 px-4 py-2 focus-visible:-outline-offset-2",
        isChosen ? "bg-accent-soft" : "hover:bg-hover",
      )}
    >
      <span className="text-faint [&_svg]:size-4">
        <FileIcon name={file.name} mime={file.mime} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{showDirections(file.name)}</span>
        <span className="block truncate font-mono text-2xs text-faint">{file.path}</span>
      </span>
      <span className="shrink-0 text-right text-2xs text-faint tabular-nums">
        {plural(Math.max(1, file.versions.length), "version")}
        <br />
        {formatBytes(file.size_bytes)}
      </span>
    </Link>
  );
}
