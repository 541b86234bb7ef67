/** Reads the body of a request: no further than it may be long, while there is room, and not from too slow a sender. */
import { CairnError } from "@cairn/timeline";
import type { HeldBody } from "./body-room.ts";
import { type Pace, paced } from "./pace.ts";

/** How a request's body is taken in. */
export interface Intake {
  /** How slowly it may come. */
  readonly pace: Pace;
  readonly held: HeldBody;
}

export async function readBody(
  request: Request,
  mostBytes: number,
  { pace, held }: Intake,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseEncoded(request);
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > mostBytes) throw tooLarge(mostBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body !== null)
    for await (const chunk of paced(request.body, pace)) {
      size += chunk.byteLength;
      if (size > mostBytes) throw tooLarge(mostBytes);
      held.grow(chunk.byteLength);
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
export async function readJson(request: Request, mostBytes: number, intake: Intake): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json")
    throw new CairnError("unsupported_media_type", "Send JSON, with the header content-type: application/json.");
  const bytes = await readBody(request, mostBytes, intake);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new CairnError("bad_request", "The body is not JSON in UTF-8.");
  }
}

function tooLarge(mostBytes: number): CairnError {
  return new CairnError("too_large", `The request has more than ${mostBytes} bytes. Send less.`, { limit: mostBytes });
}
