/** Thumbnails beside file names, because pasted pictures have the same name and differ only in their content. */
import type { FileView } from "@cairn/timeline";
import { type ReactNode, useEffect, useState } from "react";
import { fileAddress } from "../api/client.ts";
import { StoredImage } from "../ui/stored-bytes.tsx";
import { GLIMPSE } from "./file-chip.tsx";
import { fileKind } from "./file-kind.ts";

export function glimpseOfStored(conversationId: string, file: FileView): ReactNode {
  if (file.physical_path === null || fileKind(file.name, file.mime) !== "image") return null;
  return (
    <StoredImage address={fileAddress(conversationId, file.physical_path, file.version)} alt="" className={GLIMPSE} />
  );
}

/** Makes the preview of a file that is still in the browser; null if it is not a picture. */
export function glimpseOfLocal(file: File): ReactNode {
  return fileKind(file.name, file.type) === "image" ? <LocalPicture file={file} /> : null;
}

function LocalPicture({ file }: { readonly file: File }) {
  const [source, setSource] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setSource(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return source === null ? <span className={GLIMPSE} /> : <img src={source} alt="" className={GLIMPSE} />;
}
