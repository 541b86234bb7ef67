/** Reads the body of a request, with a maximum length, limited memory and a minimum speed. */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { CairnError, JsonCounter } from "@cairn/timeline";
import type { HeldBody } from "./body-room.ts";
import { type Pace, paced } from "./pace.ts";

/** How the body of a request is read. */
export interface Intake {
  /** The minimum speed at which the body must arrive. */
  readonly pace: Pace;
  readonly held: HeldBody;
  /** Called with the number of bytes of each chunk, which count for the rate of the sender. */
  readonly arrived: (bytes: number) => void;
  /** Waits until the sender's share of processor time allows parsing the body. */
  readonly turn: () => Promise<void>;
}

const SMALL_BODY = 10_000;
const LARGE_BODY = 500_000;
/** Limits of a JSON body, more than any request needs. A chat client sends all messages of the chat in each request. */
const JSON_LIMITS = { values: 200_000, depth: 100 };

/** `inspect` gets each chunk, and throws to refuse the body. */
export async function readBody(
  request: Request,
  mostBytes: number,
  { pace, held, arrived }: Intake,
  inspect: (chunk: Uint8Array) => void = () => undefined,
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
      inspect(chunk);
      held.grow(chunk.byteLength);
      arrived(chunk.byteLength);
      chunks.push(chunk);
    }
  return Buffer.concat(chunks);
}

/** Refuses compressed bodies with `unsupported_media_type`, because a few bytes may expand to any size. */
export function refuseEncoded({ headers }: Request): void {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity")
    throw new CairnError("unsupported_media_type", "Content-encoding is not supported. Send the body uncompressed.");
}

/** Throws `unsupported_media_type`, `bad_request` and `too_large`. */
export async function readJson(request: Request, mostBytes: number, intake: Intake): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json")
    throw new CairnError(
      "unsupported_media_type",
      "The body must be JSON, with the header content-type: application/json.",
    );
  const counter = new JsonCounter(JSON_LIMITS);
  const bytes = await readBody(request, mostBytes, intake, (chunk) => counter.add(chunk));
  // Other requests are handled between steps that take long for a large file.
  const pause = () => (bytes.length > LARGE_BODY ? yieldToOthers().then(intake.turn) : undefined);
  try {
    if (bytes.length > SMALL_BODY) await intake.turn();
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    await pause();
    const value: unknown = JSON.parse(text);
    await pause();
    return value;
  } catch {
    throw new CairnError("bad_request", "The body is not valid JSON in UTF-8.");
  }
}

function tooLarge(mostBytes: number): CairnError {
  return new CairnError("too_large", `The request body is larger than ${mostBytes} bytes. Send less.`, {
    limit: mostBytes,
  });
}
