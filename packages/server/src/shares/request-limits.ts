/** Limits on the size of request bodies. */
import { type ShareLimits, type Shares, shareLimits } from "@cairn/agent";
import { limitsOf, type Settings } from "cairn-agent/process";

/** Base64 takes a third more than the bytes, and JSON a little more. */
export const BASE64_GROWTH = 1.4;

/** Maximum memory for uploads of all requests together, in units of the largest upload. */
const UPLOADS_AT_ONCE = 8;

/** Every user gets at least the memory for one upload of the maximum size. */
export function bodyRoomOf(settings: Settings, shares: Shares): ShareLimits {
  const { upload_bytes } = limitsOf(settings);
  return shareLimits(UPLOADS_AT_ONCE * upload_bytes, shares, BASE64_GROWTH * upload_bytes);
}

/** Maximum stored characters of the conversations from which answers are made at the same time, in the whole server. */
const MAX_VIEW_CHARS = 200_000_000;

export function viewRoomOf(settings: Settings, shares: Shares): ShareLimits {
  const { total } = bodyRoomOf(settings, shares);
  return shareLimits(Math.min(total, MAX_VIEW_CHARS), shares, BASE64_GROWTH * limitsOf(settings).upload_bytes);
}
