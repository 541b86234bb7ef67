/** Shows bytes of a conversation: loaded by address or, if the server needs a token, fetched and kept in memory. */
import { type AnchorHTMLAttributes, type ImgHTMLAttributes, type MouseEvent, useEffect, useState } from "react";
import { request } from "../api/call.ts";
import { hasToken } from "../api/token.ts";
import { tell } from "../state/app-state.ts";

export interface StoredImageProps extends Omit<ImgHTMLAttributes<HTMLImageElement>, "src" | "alt"> {
  readonly address: string;
  readonly alt: string;
}

export function StoredImage({ address, alt, ...rest }: StoredImageProps) {
  const [source, setSource] = useState<string | null>(isDirect(address) ? address : null);
  useEffect(() => {
    if (isDirect(address)) return setSource(address);
    const control = new AbortController();
    let made: string | null = null;
    request(address, { signal: control.signal })
      .then((answer) => answer.blob())
      .then((blob) => {
        made = URL.createObjectURL(blob);
        setSource(made);
      })
      .catch(() => undefined); // If loading fails, the alternative text is shown.
    return () => {
      control.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [address]);
  return source === null ? <span>{alt}</span> : <img {...rest} src={source} alt={alt} loading="lazy" />;
}

function isDirect(address: string): boolean {
  return !hasToken() || address.startsWith("data:");
}

export interface DownloadLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "download"> {
  readonly address: string;
  readonly name: string;
}

export function DownloadLink({ address, name, ...rest }: DownloadLinkProps) {
  const save = (event: MouseEvent) => {
    if (!hasToken()) return;
    event.preventDefault();
    void saveFile(address, name);
  };
  return <a {...rest} href={address} download={name} onClick={save} />;
}

/** Saves the content of a server address as a file. */
export async function saveFile(address: string, name: string): Promise<void> {
  try {
    saveBlob(await (await request(address)).blob(), name);
  } catch (error) {
    tell("problem", `${name} could not be downloaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has already started the download at this time.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
