/** Our count of the tokens of a wire part. */
import type { CountTokens } from "../../base/ports.ts";
import { pieceTokens } from "../../block/reasoning.ts";
import { binaryTokens } from "../../tokens/estimate.ts";
import type { WirePart } from "./wire-request.ts";

export function wirePartTokens(part: WirePart, countTokens: CountTokens): number {
  switch (part.type) {
    case "text":
      return countTokens(part.text);
    case "reasoning":
      return pieceTokens(part.text, part.sealed, countTokens);
    case "call":
      return countTokens(part.name) + countTokens(JSON.stringify(part.input));
    case "result":
      return part.content.reduce((sum, each) => sum + wirePartTokens(each, countTokens), 0);
  }
  return binaryTokens({ type: part.type, mime: part.media_type, base64: part.data });
}
