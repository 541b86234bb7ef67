import { kindOf } from "@cairn/timeline";

/** The key of the row that shows a search hit: the prompt of a turn, a later message to the agent, or the answer. */
export function rowKeyOf(found: {
  readonly turn_id: string | null;
  readonly type: string;
  readonly path?: string | null | undefined;
}): string | null {
  const { turn_id, type, path } = found;
  if (turn_id === null) return null;
  const { role } = kindOf(type);
  if (role !== "prompt") return role === "answer" ? `${turn_id} answer` : turn_id;
  // Messages that reach the agent during its turn are numbered from 2.
  const number = /\.user\.prompt\.(\d+)$/.exec(path ?? "")?.[1];
  return number === undefined ? `${turn_id} prompt` : `${turn_id} steer ${Number(number) - 2}`;
}
