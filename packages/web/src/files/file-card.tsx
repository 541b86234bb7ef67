/** A card for a file that the agent made: its type, a thumbnail of a picture, and a link to it. */
import type { FileView } from "@cairn/timeline";
import { Download } from "lucide-react";
import { fileAddress } from "../api/client.ts";
import { formatBytes } from "../text/format-time.ts";
import { showDirections } from "../text/shown-directions.ts";
import { DownloadLink, StoredImage } from "../ui/stored-bytes.tsx";
import { FileIcon } from "./file-icon.tsx";
import { fileKind } from "./file-kind.ts";
import { ShortName } from "./short-name.tsx";

export interface FileCardProps {
  readonly conversationId: string;
  readonly file: FileView;
  readonly onOpen: () => void;
}

export function FileCard({ conversationId, file, onOpen }: FileCardProps) {
  const address = file.physical_path === null ? null : fileAddress(conversationId, file.physical_path, file.version);
  const name = showDirections(file.name);
  const isPicture = address !== null && fileKind(file.name, file.mime) === "image";
  return (
    <div className="group relative flex w-full items-center gap-3 rounded-xl border border-line bg-surface p-2.5 transition-colors hover:border-line-strong">
      {isPicture ? (
        <StoredImage address={address} alt="" className="size-11 shrink-0 rounded-lg border border-line object-cover" />
      ) : (
        <span className="grid size-11 shrink-0 place-items-center rounded-lg bg-accent-soft text-accent [&_svg]:size-5">
          <FileIcon name={file.name} mime={file.mime} />
        </span>
      )}
      <div className="min-w-0 flex-1">
        <button
          type="button"
          onClick={onOpen}
          title={name}
          aria-label={name}
          className="flex max-w-full text-sm font-medium after:absolute after:inset-0"
        >
          <ShortName name={name} />
        </button>
        <p className="text-xs text-faint">
          {[formatBytes(file.size_bytes), file.version > 1 ? `version ${file.version}` : ""]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      {address === null ? null : (
        <DownloadLink
          address={address}
          name={file.name}
          aria-label={`Download ${name}`}
          className="relative z-10 grid size-8 shrink-0 place-items-center rounded-lg text-faint hover:bg-hover hover:text-ink"
        >
          <Download className="size-4" />
        </DownloadLink>
      )}
    </div>
  );
}
