/** The setting `budgets`: limits of a turn and of a user. */
import type { Budgets } from "@cairn/agent";
import { badConfig, isObject, type Source } from "./setting.ts";

const TURN_BUDGETS = ["iterations", "tokens", "dollars", "elapsedMs"];
const USER_BUDGETS = ["tokens", "dollars", "windowMs"];

export function budgetsOf(value: unknown, source: Source): Budgets {
  if (value === undefined) return {};
  if (!isObject(value)) throw badConfig(source, "`budgets` must be an object");
  const { user, ...turn } = value;
  checkLimits("budgets", turn, TURN_BUDGETS, source, ["user"]);
  if (user === undefined) return turn;
  if (!isObject(user)) throw badConfig(source, "`budgets.user` must be an object");
  checkLimits("budgets.user", user, USER_BUDGETS, source);
  const { windowMs, ...limits } = user;
  if (typeof windowMs !== "number")
    throw badConfig(source, "`budgets.user` needs `windowMs`, the length of its time window");
  return { ...turn, user: { ...limits, windowMs } };
}

function checkLimits(
  name: string,
  limits: Readonly<Record<string, unknown>>,
  known: readonly string[],
  source: Source,
  others: readonly string[] = [],
): void {
  for (const [key, limit] of Object.entries(limits)) {
    if (!known.includes(key))
      throw badConfig(
        source,
        `\`${name}\` has an unknown key ${JSON.stringify(key)}; known keys are ${[...known, ...others].join(", ")}`,
      );
    if (typeof limit !== "number" || !(limit > 0) || !Number.isFinite(limit))
      throw badConfig(source, `\`${name}.${key}\` must be a number above 0`);
  }
}
