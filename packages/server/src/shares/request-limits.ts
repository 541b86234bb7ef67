/** Limits of the bodies of requests. */
import { type ShareLimits, type Shares, shareLimits } from "@cairn/agent";
import { limitsOf, type Settings } from "cairn-agent/process";

/** Base64 takes a third more than the bytes, and JSON a little more. */
export const BASE64_GROWTH = 1.4;

/** Maximum memory for uploads of all requests together, in units of the largest upload. */
const UPLOADS_AT_ONCE = 8;

/** Every user has room for at least one upload of the maximum size. */
export function bodyRoomOf(settings: Settings, shares: Shares): ShareLimits {
  const { upload_bytes } = limitsOf(settings);
  return shareLimits(UPLOADS_AT_ONCE * upload_bytes, shares, BASE64_GROWTH * upload_bytes);
}
