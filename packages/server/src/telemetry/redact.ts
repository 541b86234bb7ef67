/** Takes secrets out of text that is going to be written down: tokens of ours, keys of providers, bearer headers. */

const SECRETS: readonly RegExp[] = [
  /\bcairn_[A-Za-z0-9_-]{16,}/g,
  /\bBearer\s+[^\s"']+/gi,
  /\bsk-[A-Za-z0-9_-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\b(?:api[_-]?key|authorization|password|secret|token)(["']?\s*[:=]\s*["']?)[^\s"',}]+/gi,
];

export function redact(text: string): string {
  return SECRETS.reduce((clean, secret) => clean.replace(secret, "[removed]"), text);
}
