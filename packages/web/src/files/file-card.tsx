/** A card for a file that the agent made: its type, or a preview if it is a picture, and a link to it. */
import type { FileView } from "@cairn/timeline";
import { Download } from "lucide-react";
import { fileAddress } from "../api/client.ts";
import { formatBytes } from "../text/format-time.ts";
import { showDirections } from "../text/shown-directions.ts";
import { DownloadLink, StoredImage } from "../ui/stored-bytes.tsx";
import { FileIcon } from "./file-icon.tsx";
import { fileKind } from "./file-kind.ts";
import { ShortName } from "./short-name.tsx";
import { svgSource } from "./svg-source.ts";
import { useFileText } from "./use-file-text.ts";

/** The height is fixed, so that nothing moves when the picture is loaded. */
const PICTURE = "h-52 w-full rounded-lg border border-line bg-white object-contain";
/** Maximum size of an SVG file that is shown in its card. Larger ones are shown when they are opened. */
const MAX_SVG_BYTES = 200_000;

export interface FileCardProps {
  readonly conversationId: string;
  readonly file: FileView;
  readonly onOpen: () => void;
}

export function FileCard({ conversationId, file, onOpen }: FileCardProps) {
  const address = file.physical_path === null ? null : fileAddress(conversationId, file.physical_path, file.version);
  const name = showDirections(file.name);
  const kind = fileKind(file.name, file.mime);
  const isSmallSvg = kind === "svg" && (file.size_bytes ?? 0) <= MAX_SVG_BYTES;
  return (
    <div className="group relative flex w-full flex-wrap items-center gap-3 rounded-xl border border-line bg-surface p-2.5 transition-colors hover:border-line-strong">
      {address !== null && kind === "image" ? <StoredImage address={address} alt="" className={PICTURE} /> : null}
      {address !== null && isSmallSvg ? <SvgPicture address={address} /> : null}
      <span className="grid size-11 shrink-0 place-items-center rounded-lg bg-accent-soft text-accent [&_svg]:size-5">
        <FileIcon name={file.name} mime={file.mime} />
      </span>
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

function SvgPicture({ address }: { readonly address: string }) {
  const state = useFileText(address);
  return state.phase === "ready" ? (
    <img src={svgSource(state.text)} alt="" className={PICTURE} />
  ) : (
    <span className={PICTURE} />
  );
}
