/**
 * Checks whether there is space for a write: on the disk, apart from the reserve, and within the storage limits of the
 * user and tenant. Work that was already accepted continues below the reserve, which is the purpose of the reserve.
 */
import { statfs } from "node:fs/promises";
import { type ReachedLimit, type ShareLimits, scopeOf } from "@cairn/agent";
import { type Scope, type StoredBytes, type StoreMaintenance, scopeKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { Settings } from "../settings/settings.ts";
import { overShare } from "./over-share.ts";

export interface WriteRoomOptions {
  readonly store: Pick<StoreMaintenance, "storedBytes">;
  readonly limits: ShareLimits;
  /** The folder on whose disk space is kept free. */
  readonly folder: string;
  readonly reserveMb: number;
  /** Whether this process writes to that disk, and not to a database on another machine. */
  readonly isLocal: boolean;
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
}

/** Maximum age of a count of stored bytes. Bytes that this process accepts after the count are added to it. */
const COUNTED_FOR_MS = 2_000;
const MEGABYTE = 1_000_000;

interface Counted {
  readonly tenant: string;
  readonly at: number;
  readonly stored: StoredBytes;
  accepted: number;
}

export class WriteRoom {
  readonly #options: WriteRoomOptions;
  /** Counted bytes by user; the most recently counted user is last. */
  readonly #counted = new Map<string, Counted>();

  constructor(options: WriteRoomOptions) {
    this.#options = options;
  }

  /** The space that the settings allow; `limits`: the storage of a user and a tenant. */
  static of({ dataDir, database, server }: Settings, store: WriteRoomOptions["store"], limits: ShareLimits): WriteRoom {
    return new WriteRoom({
      store,
      limits,
      folder: dataDir,
      reserveMb: server.reserveMb,
      isLocal: database === null,
      now: () => performance.now(),
    });
  }

  /** Throws `full` or `storage_full` when this many more bytes do not fit. */
  async check(owner: Scope, bytes = 0): Promise<void> {
    await this.#admit(owner, bytes, 0);
  }

  /** Checks the limits and counts the bytes in one step, so that concurrent writers cannot exceed a limit together. */
  async reserve(owner: Scope, bytes: number): Promise<void> {
    await this.#admit(owner, bytes, bytes);
  }

  async #admit(owner: Scope, bytes: number, kept: number): Promise<void> {
    if (this.#options.isLocal) await this.checkReserve("full", bytes);
    const { limits } = this.#options;
    if (!Number.isFinite(limits.user) && !Number.isFinite(limits.tenant)) return;
    const counted = await this.#count(owner);
    const { stored, accepted } = counted;
    const levels: readonly ReachedLimit[] = [
      { of: "user", allowed: limits.user, held: stored.user + accepted },
      { of: "tenant", allowed: limits.tenant, held: stored.tenant + this.#acceptedOf(owner.tenant) },
    ];
    const reached = levels.find(({ held, allowed }) => held + bytes >= allowed);
    if (reached !== undefined) throw overShare("storage", reached);
    counted.accepted += kept;
  }

  /** Adds accepted bytes to the last count of the store. */
  note(owner: Scope, bytes: number): void {
    const counted = this.#counted.get(scopeKey(scopeOf(owner)));
    if (counted !== undefined) counted.accepted += bytes;
  }

  /** Throws an error of this code when less than the reserve would be left. */
  async checkReserve(code: "no_room" | "full", bytes = 0): Promise<void> {
    const { folder, reserveMb } = this.#options;
    const { bavail, bsize } = await statfs(folder);
    const free = Math.floor((bavail * bsize) / MEGABYTE);
    if (free - bytes / MEGABYTE >= reserveMb) return;
    throw new CairnError(
      code,
      `Only ${free} MB are free on the disk with the data, and ${reserveMb} MB are reserved. Delete conversations, or ask the operator to free space.`,
      { limit: "disk", free_mb: free, reserve_mb: reserveMb },
    );
  }

  async #count(owner: Scope): Promise<Counted> {
    const scope = scopeOf(owner);
    const name = scopeKey(scope);
    const now = this.#options.now();
    const known = this.#counted.get(name);
    if (known !== undefined && now - known.at < COUNTED_FOR_MS) return known;
    const stored = await this.#options.store.storedBytes(scope);
    // Another caller may have counted since then. The bytes that it accepted are not in the store yet.
    const meanwhile = this.#counted.get(name);
    if (meanwhile !== undefined && meanwhile.at >= now) return meanwhile;
    const counted = { tenant: scope.tenant, at: now, stored, accepted: 0 };
    this.#counted.delete(name);
    this.#counted.set(name, counted);
    for (const [other, { at }] of this.#counted) {
      if (now - at < COUNTED_FOR_MS) break;
      this.#counted.delete(other);
    }
    return counted;
  }

  #acceptedOf(tenant: string): number {
    let accepted = 0;
    for (const counted of this.#counted.values()) if (counted.tenant === tenant) accepted += counted.accepted;
    return accepted;
  }
}
