/**
 * A setting: how the reference describes it, and how its value is read from the environment and the configuration file.
 * The environment overrides the file, and the file overrides the default.
 */
import { isAbsolute, resolve } from "node:path";
import { CairnError } from "@cairn/timeline";

/** The description of a setting in the reference. */
interface Description {
  /** Environment variable; null if only the file can set it. */
  readonly variable: string | null;
  /** The default value as the reference shows it. */
  readonly byDefault: string;
  readonly about: string;
}

export interface Setting<Value> extends Description {
  /** `key`: its key in the configuration file. Throws `bad_setting` or `bad_config`. */
  readonly read: (key: string, source: Source) => Value;
}

/** The environment and configuration file from which values are read. */
export interface Source {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The content of the configuration file. */
  readonly content: Readonly<Record<string, unknown>>;
  /** The name of the file, for error messages; empty without a file. */
  readonly file: string;
  /** The folder at which relative paths begin. */
  readonly cwd: string;
}

/** Settings by their keys in the configuration file. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type ValuesOf<Table extends SettingTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : never;
};

export function readTable<Table extends SettingTable>(table: Table, source: Source): ValuesOf<Table> {
  const values = Object.entries(table).map(([key, setting]) => [key, setting.read(key, source)]);
  return Object.fromEntries(values) as ValuesOf<Table>;
}

/** A text setting; null if it is not set. */
export function text(description: Description): Setting<string | null> {
  return convertedText(description, (value) => value);
}

export function convertedText<Value>(
  description: Description,
  convert: (value: string | null, source: Source) => Value,
): Setting<Value> {
  return {
    ...description,
    read: (key, source) => convert(variableOf(description, source) ?? textInFile(key, source), source),
  };
}

interface Bounds {
  readonly byDefault: number;
  readonly least: number;
  readonly most: number;
}

/** A setting that is a whole number within bounds. */
export function count(variable: string, { byDefault, least, most }: Bounds, about: string): Setting<number> {
  const description = { variable, byDefault: `${byDefault} (${least} to ${most})`, about };
  const rule = `must be a whole number from ${least} to ${most}`;
  const isGood = (value: unknown): value is number =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
  return {
    ...description,
    read: (key, source) => {
      const given = variableOf(description, source);
      const value = given === null ? inFile(key, source) : wholeNumber(given);
      if (value === undefined) return byDefault;
      if (isGood(value)) return value;
      throw given === null ? badConfig(source, `\`${key}\` ${rule}`) : badSetting(variable, rule);
    },
  };
}

function wholeNumber(digits: string): number {
  return /^\d{1,12}$/.test(digits) ? Number(digits) : Number.NaN;
}

/** 1 for on, 0 for off, which is the default. */
export function onOrOff(variable: string, about: string): Setting<boolean> {
  const { read, ...zeroOrOne } = count(variable, { byDefault: 0, least: 0, most: 1 }, about);
  return { ...zeroOrOne, read: (key, source) => read(key, source) === 1 };
}

/** A list of strings, in the environment separated by commas. `check` throws for an item that is wrong. */
export function list(
  description: Description,
  check: (item: string, source: Source) => void = () => undefined,
): Setting<readonly string[]> {
  const separated = description.variable === null ? "" : " In the environment, separated by commas.";
  return {
    ...description,
    about: `${description.about}${separated}`,
    read: (key, source) => {
      const given = variableOf(description, source)?.split(",");
      const value: unknown = given?.map((item) => item.trim()) ?? inFile(key, source) ?? [];
      if (!Array.isArray(value) || !value.every((item) => typeof item === "string" && item.trim() !== ""))
        throw badConfig(source, `\`${key}\` must be a list of strings`);
      for (const item of value) check(item, source);
      return value;
    },
  };
}

/** A value that only the file can set. `convert` gets undefined if it is not set. */
export function fromFile<Value>(
  description: Omit<Description, "variable">,
  convert: (value: unknown, source: Source) => Value,
): Setting<Value> {
  return { ...description, variable: null, read: (key, source) => convert(inFile(key, source), source) };
}

/** An empty variable counts as absent. */
function variableOf({ variable }: Description, { env }: Source): string | null {
  const value = variable === null ? undefined : env[variable]?.trim();
  return value === undefined || value === "" ? null : value;
}

function inFile(key: string, { content }: Source): unknown {
  return Object.hasOwn(content, key) ? content[key] : undefined;
}

function textInFile(key: string, source: Source): string | null {
  const value = inFile(key, source);
  if (value === undefined) return null;
  if (typeof value !== "string" || value.trim() === "" || value.includes("\0"))
    throw badConfig(source, `\`${key}\` must be a string that is not empty`);
  return value;
}

export function absolute(path: string, { cwd }: Pick<Source, "cwd">): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function badConfig({ file }: Pick<Source, "file">, problem: string): CairnError {
  return new CairnError("bad_config", `${file}: ${problem}.`, { file });
}

export function badSetting(variable: string, problem: string): CairnError {
  return new CairnError("bad_setting", `${variable} ${problem}.`, { variable });
}
