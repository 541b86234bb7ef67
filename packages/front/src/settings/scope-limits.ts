/**
 * The share of this process that one user and one tenant may use. A process without tokens, issuer and database has one
 * user, who may use all of it.
 */
import { type ShareLimits, type Shares, WHOLE } from "@cairn/agent";
import type { Settings } from "./settings.ts";

/** Shares of a process's time, as a fraction of 1. Without a limit: `Infinity`. */
export interface TimeShares {
  readonly user: number;
  readonly tenant: number;
}

export interface ScopeLimits {
  /** Shares of turns, programs and upload memory, in percent. */
  readonly shares: Shares;
  /** Maximum number of conversations that wait for a turn. */
  readonly queue: ShareLimits;
  /** Maximum number of open event streams. */
  readonly followers: ShareLimits;
  /** Maximum number of requests a second. */
  readonly requests: Omit<ShareLimits, "total">;
  /** Maximum bytes of conversations and files. */
  readonly storage: ShareLimits;
  /** Shares of the process's time while several tenants use it. */
  readonly time: TimeShares;
}

const MEGABYTE = 1_000_000;
const NONE = Number.POSITIVE_INFINITY;
/** The share of the process's time, as a fraction of the share of turns and programs. */
const TIME_OF_SHARE = 0.5;

/** Without tokens and an issuer, everybody who calls a server is the same user. */
export function scopeLimits(
  { database, server }: Settings,
  knowsUsers = server.tokens !== null || server.oidc !== null,
): ScopeLimits {
  const isShared = knowsUsers || database !== null;
  const atServer = (user: number, tenant: number) => (knowsUsers ? { user, tenant } : { user: NONE, tenant: NONE });
  return {
    shares: isShared ? { user: server.userShare, tenant: server.tenantShare } : WHOLE,
    queue: { user: isShared ? server.userQueue : server.queue, tenant: server.queue, total: NONE },
    followers: { ...atServer(server.userFollowers, server.tenantFollowers), total: NONE },
    requests: atServer(server.userRequests, server.tenantRequests),
    time: { user: timeOf(isShared ? server.userShare : 100), tenant: timeOf(isShared ? server.tenantShare : 100) },
    storage: { ...atServer(server.userStorageMb * MEGABYTE, server.tenantStorageMb * MEGABYTE), total: NONE },
  };
}

function timeOf(share: number): number {
  return share < 100 ? (share / 100) * TIME_OF_SHARE : NONE;
}
