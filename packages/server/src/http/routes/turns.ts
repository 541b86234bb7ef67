/** The endpoint that takes messages, as JSON or as a form. */
import * as api from "@cairn/api";
import { CairnError } from "@cairn/timeline";
import { limitsOf } from "cairn-agent/process";
import { type NewFile, type NewMessage, takeMessage } from "cairn-agent/turns";
import { agentsOf } from "../../auth/caller.ts";
import { BASE64_GROWTH } from "../../shares/request-limits.ts";
import { type App, endpoint, keyOf } from "../endpoint.ts";
import { type Intake, readBody } from "../read-body.ts";
import { readForm } from "../read-form.ts";
import type { ServerParts } from "./server-parts.ts";

export function turnRoutes(app: App, parts: ServerParts): void {
  const { upload_bytes } = limitsOf(parts.settings);
  endpoint(
    app,
    api.sendMessage,
    async (context, { params, body }, answer) => {
      const sent: NewMessage =
        body === undefined
          ? await readFormMessage(context.req.raw, upload_bytes, context.get("intake"))
          : { ...body, files: body.attachments.map(decodeFile) };
      const idempotencyKey = readIdempotencyKey(context.req.header("idempotency-key"));
      const known = { ...sent, context: context.get("caller")?.context };
      const agents = agentsOf(context.get("caller"), parts.agents);
      const taken = await takeMessage({ ...parts, agents }, keyOf(context, params), known, idempotencyKey);
      if (taken.turn_id !== null) context.set("turn", taken.turn_id);
      return answer(202, taken);
    },
    Math.ceil(upload_bytes * BASE64_GROWTH),
  );
}

export function decodeFile({ name, mime, data }: api.SentFile): NewFile {
  return { name, mime, bytes: Buffer.from(data, "base64") };
}

async function readFormMessage(request: Request, mostBytes: number, intake: Intake): Promise<NewMessage> {
  const bytes = await readBody(request, mostBytes + 100_000, intake);
  await intake.turn();
  const type = request.headers.get("content-type") ?? "";
  const parts = readForm(bytes, type);
  const text = (name: string) => {
    const part = parts.find((each) => each.name === name && each.filename === null);
    const value = part === undefined ? "" : Buffer.from(part.bytes).toString("utf8");
    // Converts CRLF back to line feeds, because a browser sends every line end of a form as CRLF.
    return value === "" ? undefined : value.replaceAll("\r\n", "\n");
  };
  const fields = Object.entries(api.MESSAGE_FORM).map(([name, form]) => [
    name,
    form === "text" ? text(name) : readJson(text(name)),
  ]);
  const checked = api.messageSchema.safeParse(Object.fromEntries(fields));
  if (!checked.success)
    throw new CairnError("bad_request", `The form is not valid: ${checked.error.issues[0]?.message ?? ""}.`);
  const files = parts
    .filter(({ name }) => name === "attachments")
    .map(({ filename, type: mime, bytes: content }): NewFile => {
      if (filename === null) throw new CairnError("bad_request", "Every part named `attachments` must be a file.");
      const name = filename === "" ? "attachment" : filename.slice(0, 255);
      return { name, mime: mime ?? undefined, bytes: content };
    });
  if (files.length > api.MAX_ATTACHMENTS)
    throw new CairnError("too_large", `The message has more than ${api.MAX_ATTACHMENTS} attachments. Send fewer.`);
  return { ...checked.data, files };
}

const MAX_JSON_CHARS = 30_000;

/** Text that is not JSON, or that is too long, is returned unchanged, so that the schema of the form rejects it. */
function readJson(text: string | undefined): unknown {
  if (text === undefined || text.length > MAX_JSON_CHARS) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readIdempotencyKey(given: string | undefined): string | null {
  if (given === undefined) return null;
  if (given === "" || given.length > 200)
    throw new CairnError("bad_request", "An idempotency key must have 1 to 200 characters.");
  return `idem-${given}`;
}
