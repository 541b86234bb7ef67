/**
 * Rules for when a snapshot is due, and which old ones are kept.
 *
 * A snapshot is due when the events after the last one are more than 256 and exceed a quarter of its size. A window of
 * W characters is then rewritten at most once per W/4 characters appended, so the cost of snapshots is a constant
 * factor of what is appended, however long the conversation is; loading reads at most W + max(256 events, W/4).
 *
 * Which are kept: of n snapshots, number i stays while n - i < 2 * lowbit(i), lowbit being the largest power of two
 * that divides i. About log2(n) snapshots stay, most of them recent: any past state is at most about half its age of
 * events away.
 */
const SNAPSHOT_TAIL_EVENTS = 256;

export function needsSnapshot(tail: {
  readonly events: number;
  readonly chars: number;
  readonly snapshotChars: number;
}): boolean {
  return tail.events > SNAPSHOT_TAIL_EVENTS && tail.chars * 4 > tail.snapshotChars;
}

export function keepsSnapshot(ordinal: number, newest: number): boolean {
  return newest - ordinal < 2 * (ordinal & -ordinal);
}
