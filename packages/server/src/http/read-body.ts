/** Reads the body of a request, no further than it may be long, and not from a sender who takes too long. */
import { CairnError } from "@cairn/timeline";
import { type Pace, paced } from "./pace.ts";

export async function readBody(request: Request, mostBytes: number, pace: Pace): Promise<Uint8Array<ArrayBuffer>> {
  refuseEncoded(request);
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > mostBytes) throw tooLarge(mostBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body !== null)
    for await (const chunk of paced(request.body, pace)) {
      size += chunk.byteLength;
      if (size > mostBytes) throw tooLarge(mostBytes);
      chunks.push(chunk);
    }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** A few bytes may unpack to any number of them. Throws `unsupported_media_type`. */
export function refuseEncoded({ headers }: Request): void {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity")
    throw new CairnError("unsupported_media_type", "Send the body as it is, without a content-encoding.");
}

/** Throws `unsupported_media_type` and `bad_request`. */
export async function readJson(request: Request, mostBytes: number, pace: Pace): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json")
    throw new CairnError("unsupported_media_type", "Send JSON, with the header content-type: application/json.");
  const bytes = await readBody(request, mostBytes, pace);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new CairnError("bad_request", "The body is not JSON in UTF-8.");
  }
}

function tooLarge(mostBytes: number): CairnError {
  return new CairnError("too_large", `The request has more than ${mostBytes} bytes. Send less.`, { limit: mostBytes });
}
