/**
 * Content hashes, which identify message blocks and texts in receipts and caches.
 *
 * Two message blocks have the same hash when a model receives the same content from both: `cache` does not count, and a
 * picture counts by its bytes, whether the block holds them or names the blob that does. Hashes are SHA-256 in
 * lower-case hexadecimal.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { MessageBlock } from "../message/message.ts";

const encoder = new TextEncoder();

interface NodeCrypto {
  readonly hash?: (algorithm: "sha256", text: string) => string;
}

const { process } = globalThis as { process?: { getBuiltinModule?: (name: "node:crypto") => NodeCrypto } };
const nodeCrypto = process?.getBuiltinModule?.("node:crypto");

/**
 * The hash of a text's UTF-8 bytes. Lone surrogates count as U+FFFD, as they are sent. Node computes the hash; in
 * browsers a library does, because rendering is synchronous and the function of browsers is not.
 */
export function hashText(text: string): string {
  return nodeCrypto?.hash?.("sha256", text) ?? bytesToHex(sha256(encoder.encode(text)));
}

/** Message blocks never change and are shared between renders, so each is hashed once. */
const hashes = new WeakMap<MessageBlock, string>();

export function hashMessage(message: MessageBlock): string {
  const known = hashes.get(message);
  if (known !== undefined) return known;
  const hash = hashText(contentOf(message));
  hashes.set(message, hash);
  return hash;
}

/** A unique string for each content. A part of variable size is preceded by its length. */
function contentOf(message: MessageBlock): string {
  if (message.type === "text") return `text ${message.text}`;
  const { type, media_type, data, blob } = message;
  const bytes = data === undefined ? (blob ?? "") : bytesOf(data);
  return `${type} ${media_type.length} ${media_type} ${bytes}`;
}

/** Number of base64 characters that are decoded at a time: a multiple of 4, so that each chunk can be decoded alone. */
const CHUNK = 32_768;

/** The blob reference of the bytes. Base64 that is not in canonical form is hashed as text. */
function bytesOf(base64: string): string {
  const sha = sha256.create();
  for (let at = 0; at < base64.length; at += CHUNK) {
    const chunk = base64.slice(at, at + CHUNK);
    const bytes = decode(chunk);
    if (bytes === null || btoa(bytes) !== chunk) return `base64:${base64}`;
    sha.update(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  }
  return `sha256:${bytesToHex(sha.digest())}`;
}

function decode(base64: string): string | null {
  try {
    return atob(base64);
  } catch {
    return null; // The data is not base64, so its text is hashed.
  }
}
