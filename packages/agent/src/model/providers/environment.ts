/** The environment variables that configure a provider. An empty variable counts as absent. */
import { CairnError } from "@cairn/timeline";

export type Environment = Readonly<Record<string, string | undefined>>;

export function setting(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === "" ? null : value;
}

/** The first of several variables that is set. */
export function firstOf(env: Environment, names: readonly string[]): string | null {
  for (const name of names) {
    const value = setting(env, name);
    if (value !== null) return value;
  }
  return null;
}

/** An address without a trailing slash. Throws `bad_base_url` when it is invalid. */
export function urlOf(env: Environment, name: string): string | null {
  const value = setting(env, name);
  if (value === null) return null;
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? ""))
    throw new CairnError("bad_base_url", `${name} must be an http or https address, not ${value}.`, {
      variable: name,
      value,
    });
  return value.replace(/\/+$/, "");
}

/** A number of tokens. Throws `bad_setting` when it is invalid. */
export function countOf(env: Environment, name: string): number | null {
  const value = setting(env, name);
  if (value === null) return null;
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new CairnError("bad_setting", `${name} must be a number of tokens, not ${value}.`, { variable: name, value });
  return Number(value);
}

/** An object with one field, `{ [key]: value }`; an empty object without a value. */
export function optional(key: string, value: string | null): Readonly<Record<string, string>> {
  return value === null ? {} : { [key]: value };
}
