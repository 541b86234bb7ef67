/** The error of a call, as its result contains it: a code, a message, and the related data if it is small. */
import { CairnError, type Json, type ToolError } from "@cairn/timeline";
import { withoutSecrets } from "../model/redact.ts";

const MAX_MESSAGE_LENGTH = 4_000;
const MAX_DETAILS_LENGTH = 4_000;

/** Converts anything thrown to an error, even values that cannot be read. Never throws. */
export function toolFailure(thrown: unknown): ToolError {
  try {
    if (CairnError.is(thrown)) return { code: thrown.code, message: clipMessage(thrown.message), ...detailsOf(thrown) };
    if (thrown instanceof Error) {
      const message = `${thrown.message}`.trim();
      return { code: "tool_exception", message: clipMessage(message === "" ? thrown.name : message) };
    }
    return {
      code: "tool_exception",
      message: clipMessage(
        `The tool threw ${typeof thrown === "string" ? `the string ${JSON.stringify(thrown)}` : `a value of type ${typeof thrown}`}.`,
      ),
    };
  } catch {
    // A thrown value may have accessors that throw.
    return { code: "tool_exception", message: "The tool threw a value that cannot be read." };
  }
}

/** Removes secrets and shortens the message to a readable length. */
export function clipMessage(message: string): string {
  // Secrets are removed before the text is cut, because half of a secret would not be recognised.
  const clean = withoutSecrets(message.slice(0, 2 * MAX_MESSAGE_LENGTH));
  return clean.length > MAX_MESSAGE_LENGTH ? `${clean.slice(0, MAX_MESSAGE_LENGTH)}…` : clean;
}

function detailsOf(error: CairnError): { details?: Json } {
  if (Object.keys(error.details).length === 0) return {};
  const text = JSON.stringify(error.details);
  return text.length > MAX_DETAILS_LENGTH ? {} : { details: JSON.parse(text) as Json };
}
