/** Amazon Bedrock's Converse API. */
import type { Dialect } from "../dialect/dialect.ts";
import { SIZES } from "../refusals/sizes.ts";
import { bedrockMessage, bedrockStream, bedrockStreamError } from "./answer.ts";
import { bedrockError, bedrockFailure, refuse } from "./errors.ts";
import { eventFrame } from "./event-frame.ts";
import { BEDROCK_PATH, readRequest } from "./read-request.ts";

/** The form of a signature of version 4. The simulator has no secrets with which it could check one. */
const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=[^/\s]+\/\d{8}\/[a-z0-9-]+\/bedrock\/aws4_request, SignedHeaders=[a-z0-9;-]+, Signature=[0-9a-f]{64}$/;

export const bedrockConverse: Dialect = {
  api: "bedrock",
  path: BEDROCK_PATH,
  maxBytes: SIZES.bedrock.maxBytes,
  authorize(headers, apiKey) {
    const given = headers.authorization ?? "";
    if (given === "") throw refuse("Missing Authentication Token", 403);
    const isSigned = SIGNED.test(given) && typeof headers["x-amz-date"] === "string";
    const key = given.startsWith("Bearer ") ? given.slice("Bearer ".length) : null;
    if (!isSigned && (key === null || key === "" || (apiKey !== undefined && key !== apiKey)))
      throw refuse("The security token included in the request is invalid.", 403);
  },
  refuseJson: (problem) => bedrockError(400, `The request body is not valid JSON: ${problem}`),
  read: readRequest,
  fail: bedrockFailure,
  headers: (nth) => ({ "x-amzn-requestid": `req_sim_${nth}` }),
  framing: { contentType: "application/vnd.amazon.eventstream", spell: eventFrame },
  stream: bedrockStream,
  streamError: bedrockStreamError,
  message: bedrockMessage,
};
