/** Accepts files that are dropped anywhere on the page, and shows this while they are dragged over it. */
import { Paperclip } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";

export interface DropAreaProps {
  /** Folders are reported by name, because a browser gives no bytes for them. */
  readonly onFiles: (files: readonly File[], folders: readonly string[]) => void;
  readonly children: ReactNode;
}

function droppedIn(data: DataTransfer | null): {
  readonly files: readonly File[];
  readonly folders: readonly string[];
} {
  const files: File[] = [];
  const folders: string[] = [];
  for (const item of data?.items ?? []) {
    const file = item.getAsFile();
    if (file === null) continue;
    if (item.webkitGetAsEntry()?.isDirectory === true) folders.push(file.name);
    else files.push(file);
  }
  return { files, folders };
}

export function DropArea({ onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    // The events "enter" and "leave" also fire for inner elements. When both counts are equal, the pointer has left.
    let depth = 0;
    const carries = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const enter = (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      depth++;
      setOver(true);
    };
    const over = (event: DragEvent) => {
      if (carries(event)) event.preventDefault();
    };
    const leave = (event: DragEvent) => {
      if (!carries(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!carries(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      const { files, folders } = droppedIn(event.dataTransfer);
      take.current(files, folders);
    };
    document.addEventListener("dragenter", enter);
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragenter", enter);
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, []);
  return (
    <div className="relative">
      {children}
      {isOver ? (
        <div className="pointer-events-none absolute inset-0 z-10 grid place-items-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/95 text-sm font-medium text-accent-strong animate-fade">
          <span className="flex items-center gap-2">
            <Paperclip className="size-4" /> Drop to attach
          </span>
        </div>
      ) : null}
    </div>
  );
}
