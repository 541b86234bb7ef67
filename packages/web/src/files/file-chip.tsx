/** A file in one line: its name and size, a thumbnail of a picture, and buttons to open or remove it. */
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { formatBytes } from "../text/format-time.ts";
import { showDirections } from "../text/shown-directions.ts";
import { cx } from "../ui/class-names.ts";
import { FileIcon } from "./file-icon.tsx";
import { ShortName } from "./short-name.tsx";

export interface FileChipProps {
  readonly name: string;
  readonly mime: string | null;
  readonly size: number | null;
  readonly glimpse?: ReactNode;
  readonly onOpen?: () => void;
  readonly onRemove?: () => void;
}

const FRAME = "inline-flex max-w-64 items-center gap-1.5 rounded-lg border border-line bg-surface text-xs";
export const GLIMPSE = "size-9 rounded-md border border-line bg-sunken object-cover";

export function FileChip({ name: given, mime, size, glimpse = null, onOpen, onRemove }: FileChipProps) {
  const name = showDirections(given);
  const inside = (
    <>
      {glimpse ?? (
        <span className="shrink-0 text-faint [&_svg]:size-3.5">
          <FileIcon name={name} mime={mime} />
        </span>
      )}
      <span className="flex min-w-0 font-medium">
        <ShortName name={name} />
      </span>
      {/* The label begins with the visible text. */ " "}
      {size === null ? null : <span className="shrink-0 text-faint tabular-nums">{formatBytes(size)}</span>}
    </>
  );
  const frame = cx(FRAME, glimpse === null ? "h-7" : "h-11", glimpse === null ? "pl-2" : "pl-1");
  if (onOpen !== undefined)
    return (
      <button
        type="button"
        aria-label={size === null ? name : `${name} ${formatBytes(size)}`}
        title={name}
        onClick={onOpen}
        className={cx(frame, "pr-2 hover:border-line-strong hover:bg-hover")}
      >
        {inside}
      </button>
    );
  return (
    <span title={name} className={cx(frame, onRemove === undefined ? "pr-2" : "pr-1")}>
      {inside}
      {onRemove === undefined ? null : (
        <button
          type="button"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
          className="grid size-5 shrink-0 place-items-center rounded hover:bg-hover pointer-coarse:size-7"
        >
          <X className="size-3.5" />
        </button>
      )}
    </span>
  );
}
