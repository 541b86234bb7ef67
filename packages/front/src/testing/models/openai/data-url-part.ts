/** Pictures and documents in the bodies of both of OpenAI's APIs: a data URL or an address. */
import type { WirePart } from "@cairn/timeline";
import { refuse } from "./errors.ts";

const IMAGE_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]*={0,2})$/;
const FILE_URL = /^data:(application\/pdf);base64,([A-Za-z0-9+/]*={0,2})$/;

/** A picture given as a data URL or by address. */
export function imagePart(url: string, param: string): WirePart {
  if (/^https?:\/\/\S+$/.test(url)) return { type: "image", media_type: "image/png", data: "" };
  const [, media_type, data] = IMAGE_URL.exec(url) ?? [];
  if (media_type !== undefined && data !== undefined && data !== "") return { type: "image", media_type, data };
  if (!url.startsWith("data:"))
    throw refuse(
      `Invalid '${param}'. Expected a valid URL, but got a value with an invalid format.`,
      "invalid_value",
      param,
    );
  throw refuse(
    "You uploaded an unsupported image. Please make sure your image has of one of the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    "invalid_image_format",
    param,
  );
}

/** A document given as a data URL; otherwise a file that the provider stores. */
export function filePart(url: string | undefined, param: string): WirePart {
  const [, media_type = "application/pdf", data = ""] = url === undefined ? [] : (FILE_URL.exec(url) ?? []);
  if (url !== undefined && data === "")
    throw refuse(
      `Invalid file data: '${param}'. Expected a base64-encoded data URL with an application/pdf MIME type.`,
      "invalid_value",
      param,
    );
  return { type: "document", media_type, data, nth: 1 };
}
