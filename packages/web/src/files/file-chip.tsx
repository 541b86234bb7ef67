/** A file in a line: its name and size, and a way to look into it or to take it away. */
import { X } from "lucide-react";
import { formatBytes } from "../chat/format-time.ts";
import { FileIcon } from "./file-icon.tsx";

export interface FileChipProps {
  readonly name: string;
  readonly mime: string | null;
  readonly size: number | null;
  readonly onOpen?: () => void;
  readonly onRemove?: () => void;
}

const FRAME = "inline-flex h-7 max-w-64 items-center gap-1.5 rounded-lg border border-line bg-surface text-xs";

export function FileChip({ name, mime, size, onOpen, onRemove }: FileChipProps) {
  const inside = (
    <>
      <span className="shrink-0 text-faint [&_svg]:size-3.5">
        <FileIcon name={name} mime={mime} />
      </span>
      <span className="truncate font-medium">{name}</span>
      {size === null ? null : <span className="shrink-0 text-faint tabular-nums">{formatBytes(size)}</span>}
    </>
  );
  if (onOpen !== undefined)
    return (
      <button type="button" onClick={onOpen} className={`${FRAME} px-2 hover:border-line-strong hover:bg-hover`}>
        {inside}
      </button>
    );
  return (
    <span className={`${FRAME} ${onRemove === undefined ? "px-2" : "pr-1 pl-2"}`}>
      {inside}
      {onRemove === undefined ? null : (
        <button
          type="button"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
          className="grid size-5 place-items-center rounded hover:bg-hover"
        >
          <X className="size-3.5" />
        </button>
      )}
    </span>
  );
}
