/**
 * The codec between events and what a store keeps: an envelope with a kind, a version, a JSON body and the blobs the
 * body refers to, so that a store can count references without understanding events.
 *
 * Unknown kinds and unknown fields are kept in both directions. A known kind of a newer version is an error, because
 * guessing its meaning could lose data.
 */
import type { z } from "zod";
import { CairnError } from "../base/error.ts";
import { type BlobRef, blobOf, isBlobRef } from "../block/blob.ts";
import { EVENT_BODIES, type EventBody, type EventKind, isKnown, type KnownEvent, type TimelineEvent } from "./event.ts";

export interface Envelope {
  readonly kind: string;
  readonly v: number;
  readonly body: unknown;
  readonly blobs: readonly BlobRef[];
}

/**
 * Fields that came after version 1 of their kind, with the version that brought them. A new field gets one entry in
 * this table. A program that does not know a newer version of one kind still reads all other kinds.
 */
const LATER_FIELDS: { readonly [K in EventKind]?: Readonly<Record<string, number>> } = {
  "input.received": { agent: 2, model: 2, context: 3, output: 3, reasoning: 3 },
  "approval.requested": { question: 2, client: 2, asking: 3 },
  "approval.given": { params: 2, answer: 3, dismissed: 3, output: 3, error: 3 },
  "turn.opened": { agent: 2, model: 2, context: 3, output: 3, reasoning: 3 },
};

/** The lowest version in which a kind is written, if its form changed as a whole. All other kinds begin at 1. */
const MIN_WRITTEN_VERSION: { readonly [K in EventKind]?: number } = { "blocks.clipped": 2 };

/** The highest version of a kind that this program reads. */
export function highestVersion(kind: EventKind): number {
  return Math.max(MIN_WRITTEN_VERSION[kind] ?? 1, ...Object.values(LATER_FIELDS[kind] ?? {}));
}

/** The version to write an event with: the lowest that describes its body, so that older programs can read it. */
function versionOf(kind: EventKind, body: Readonly<Record<string, unknown>>): number {
  const present = Object.entries(LATER_FIELDS[kind] ?? {}).filter(([field]) => body[field] !== undefined);
  return Math.max(MIN_WRITTEN_VERSION[kind] ?? 1, ...present.map(([, version]) => version));
}

/** Makes an event to write. The body is the caller's own object and must not be changed afterwards. */
export function makeEvent<K extends EventKind>(kind: K, body: EventBody<K>): Extract<KnownEvent, { kind: K }> {
  return { kind, v: versionOf(kind, body), body } as Extract<KnownEvent, { kind: K }>;
}

export function encodeEvent(event: TimelineEvent): Envelope {
  return { kind: event.kind, v: event.v, body: event.body, blobs: isKnown(event) ? blobsOf(event) : [] };
}

export function decodeEvent(envelope: Omit<Envelope, "blobs">): TimelineEvent {
  const { kind, v, body } = envelope;
  if (typeof kind !== "string" || !Number.isSafeInteger(v) || v < 1)
    throw new CairnError("corrupt", "An event needs a string `kind` and a version `v` of at least 1.", { kind, v });
  if (!Object.hasOwn(EVENT_BODIES, kind)) return { kind, v, body, unknown: true };
  const known = highestVersion(kind as EventKind);
  if (v > known)
    throw new CairnError(
      "newer_version",
      `The event ${kind} has version ${v}; this program reads up to ${known}. Upgrade it to open the conversation.`,
      { kind, v },
    );
  const checked = schemaOf(kind as EventKind).safeParse(body, isOften(kind) ? {} : { jitless: true });
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const where = issue?.path.join(".") ?? "";
    throw new CairnError("corrupt", `The body of ${kind} is not valid at "${where}": ${issue?.message ?? ""}`, {
      kind,
    });
  }
  return { kind, v, body } as KnownEvent;
}

const schemas = new Map<EventKind, z.ZodType>();

function schemaOf(kind: EventKind): z.ZodType {
  const known = schemas.get(kind);
  if (known !== undefined) return known;
  const made = EVENT_BODIES[kind]();
  schemas.set(kind, made);
  return made;
}

/** Checks of a kind before Zod makes code for its schema, which takes as long as dozens of checks without code. */
const CHECKS_BEFORE_CODE = 64;
const checks = new Map<string, number>();

function isOften(kind: string): boolean {
  const before = checks.get(kind) ?? 0;
  if (before < CHECKS_BEFORE_CODE) checks.set(kind, before + 1);
  return before >= CHECKS_BEFORE_CODE;
}

function blobsOf(event: KnownEvent): BlobRef[] {
  switch (event.kind) {
    case "block.appended": {
      const blob = blobOf(event.body.block);
      return blob === null ? [] : [blob];
    }
    case "input.received":
      return event.body.attachments.map((attachment) => attachment.blob).filter(isBlobRef);
    case "model.receipt":
      return [event.body.tools, event.body.system, event.body.tail].filter(isBlobRef);
    default:
      return [];
  }
}
