/** Downloads of a file: as it is and, if the file may contain citations, with the citations as links. */
import type { FileView } from "@cairn/timeline";
import { Download, Link2 } from "lucide-react";
import { withLinks } from "../api/client.ts";
import { DownloadLink } from "../ui/stored-bytes.tsx";
import { canCite } from "./file-kind.ts";

const LOOK =
  "flex h-7 items-center gap-1.5 rounded-lg border border-line bg-surface px-2.5 text-xs font-medium hover:bg-hover";

export function Downloads({ address, file }: { readonly address: string; readonly file: FileView }) {
  return (
    <>
      <DownloadLink address={address} name={file.name} className={LOOK}>
        <Download className="size-3.5" aria-hidden="true" /> Download
      </DownloadLink>
      {canCite(file.name, file.mime) ? (
        <DownloadLink
          address={withLinks(address)}
          name={file.name}
          className={LOOK}
          aria-label="Download with links"
          title="Download with citations as links"
        >
          <Link2 className="size-3.5" aria-hidden="true" /> With links
        </DownloadLink>
      ) : null}
    </>
  );
}
