/** Resolves a model name, as in `CAIRN_MODEL`. Provider packages are optional and loaded only when needed. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { CairnError, type Lowering } from "@cairn/timeline";
import { aiSdkModel } from "../model/ai-sdk-model.ts";
import type { Model } from "../model/model.ts";
import { countOf, type Environment, firstOf, setting } from "../model/providers/environment.ts";
import { factsOf, type ProtocolName, type Provider } from "../model/providers/provider.ts";
import { MODEL_PROVIDERS } from "../model/providers/registry.ts";
import { offlineModel } from "../offline/offline-model.ts";

export interface ResolveOptions {
  /** Loads a package (default: a dynamic import; tests override it). */
  readonly load?: (packageName: string) => Promise<unknown>;
  /** Replaces the registry; to add a provider, pass `[...MODEL_PROVIDERS, mine]`. */
  readonly providers?: readonly Provider[];
}

/**
 * A name has the form `offline` or `<provider>:<id>`. `CAIRN_MODEL_CONTEXT_TOKENS`, `CAIRN_MODEL_MAX_OUTPUT_TOKENS`,
 * `CAIRN_MODEL_LOWERING` and `CAIRN_MODEL_PROTOCOL` override the values of the registry.
 */
export async function resolveModel(name: string, env: Environment, options: ResolveOptions = {}): Promise<Model> {
  const overrides = overridesIn(env);
  if (name === "offline") return offlineModel();
  const { provider, id } = parseName(name, options.providers ?? MODEL_PROVIDERS);
  if (provider.keys.length > 0 && firstOf(env, provider.keys) === null)
    throw new CairnError("model_key_missing", `${name} needs an API key. Set ${provider.keys[0]}.`, {
      variable: provider.keys[0],
    });
  const settings = provider.settings(env);
  const { create, speller } = await loadPackage(provider, options.load ?? ((packageName) => import(packageName)));
  const facts = factsOf(provider, id);
  const maxOutputTokens = overrides.maxOutputTokens ?? facts.maxOutputTokens;
  return aiSdkModel({
    ...facts,
    contextTokens: overrides.contextTokens ?? facts.contextTokens,
    maxOutputTokens,
    model: (fetch, lowering) => create({ ...settings, ...provider.loweringSettings?.(lowering), fetch })(id),
    lowering: loweringOf(provider, id, overrides.lowering),
    refusesNative: (asked) => provider.refusesNative?.(id, asked) ?? false,
    callIdLength: provider.callIdLength?.(id),
    keepsReasoning: provider.keepsReasoning?.(id) ?? false,
    speller,
    id: name,
    provider: provider.cacheRules(id),
    toolNames: provider.toolNames,
    refusedAtRoot: provider.refusedAtRoot,
    contextLimit: provider.contextLimit,
    refusedFiles: provider.refusedFiles,
    describes: provider.describes?.(id) ?? [],
    ...(provider.refusedTools === undefined ? {} : { refusedTools: provider.refusedTools }),
    ...reasoningOf(provider, id, Math.max(facts.maxOutputTokens, maxOutputTokens)),
    protocol: overrides.protocol ?? provider.protocol?.(id) ?? "native",
    schemas: provider.schemas?.(id) ?? {},
    output: provider.output?.(id) ?? null,
    ...(provider.files === undefined ? {} : { files: provider.files }),
  });
}

/** The output limit of the environment does not include reasoning: the package adds the reasoning budget to it. */
function reasoningOf({ reasoning }: Provider, model: string, maxOutputTokens: number): Pick<Provider, "reasoning"> {
  return reasoning === undefined ? {} : { reasoning: (asked) => reasoning({ ...asked, model, maxOutputTokens }) };
}

/** A model that refuses the native lowering keeps the flat one. */
function loweringOf(
  { flat, native, lowering, refusesNative }: Provider,
  id: string,
  chosen: Lowering["name"] | null,
): Lowering {
  if ((chosen ?? lowering(id)) === "flat") return flat;
  return refusesNative?.(id, {}) === true ? flat : native;
}

interface Overrides {
  readonly contextTokens: number | null;
  readonly maxOutputTokens: number | null;
  readonly lowering: Lowering["name"] | null;
  readonly protocol: ProtocolName | null;
}

/**
 * Checks the setting even for the offline model, which does not use it, so that a wrong value is found at once. Throws
 * `bad_setting`.
 */
function overridesIn(env: Environment): Overrides {
  return {
    contextTokens: countOf(env, "CAIRN_MODEL_CONTEXT_TOKENS"),
    maxOutputTokens: countOf(env, "CAIRN_MODEL_MAX_OUTPUT_TOKENS"),
    lowering: oneOf(env, "CAIRN_MODEL_LOWERING", ["native", "flat"]),
    protocol: oneOf(env, "CAIRN_MODEL_PROTOCOL", ["native", "text"]),
  };
}

function oneOf<T extends string>(env: Environment, variable: string, known: readonly T[]): T | null {
  const value = setting(env, variable);
  if (value === null) return null;
  const found = known.find((each) => each === value);
  if (found !== undefined) return found;
  throw new CairnError("bad_setting", `${variable} must be ${known.join(" or ")}, not ${value}.`, { variable, value });
}

/** The model that a receipt names, which serialises the receipt's request again. It sends nothing and needs no key. */
export function resolveSpeller(name: string, options: ResolveOptions = {}): Promise<Model> {
  return resolveModel(name, spellerEnvironment({}, options.providers), options);
}

/** An environment in which every model can be created, with placeholders for missing keys. */
export function spellerEnvironment(env: Environment, providers: readonly Provider[] = MODEL_PROVIDERS): Environment {
  const missing = providers.flatMap(({ keys }) =>
    keys[0] !== undefined && firstOf(env, keys) === null ? [[keys[0], "unsent"]] : [],
  );
  const others = providers.flatMap(({ placeholders = {} }) =>
    Object.entries(placeholders).filter(([name]) => setting(env, name) === null),
  );
  return { ...env, ...Object.fromEntries([...missing, ...others]) };
}

function parseName(name: string, providers: readonly Provider[]): { provider: Provider; id: string } {
  const colon = name.indexOf(":");
  const before = colon === -1 ? name : name.slice(0, colon);
  const id = colon === -1 ? "" : name.slice(colon + 1).trim();
  const provider = providers.find((each) => each.name === before);
  if (provider === undefined || id === "")
    throw new CairnError(
      "bad_model_name",
      `${JSON.stringify(name.slice(0, 200))} is not a model. Use offline or ${providers
        .map((each) => `${each.name}:<id>`)
        .join(", ")}.`,
      { name: name.slice(0, 200) },
    );
  return { provider, id };
}

type CreateProvider = (
  settings: Record<string, string | boolean | typeof globalThis.fetch>,
) => (id: string) => LanguageModelV4;

async function loadPackage(
  provider: Provider,
  load: NonNullable<ResolveOptions["load"]>,
): Promise<{ readonly create: CreateProvider; readonly speller: string }> {
  let loaded: unknown;
  try {
    loaded = await load(provider.package);
  } catch (cause) {
    throw new CairnError(
      "model_package_missing",
      `${provider.package} is not installed. Run: npm install ${provider.package}`,
      { package: provider.package, cause: cause instanceof Error ? cause.message : String(cause) },
    );
  }
  const { [provider.create]: create, VERSION: version } = loaded as Readonly<Record<string, unknown>>;
  if (typeof create !== "function")
    throw new CairnError(
      "model_package_missing",
      `This version of ${provider.package} does not export ${provider.create}. Install a supported version.`,
      { package: provider.package },
    );
  const speller = typeof version === "string" ? `${provider.package} ${version}` : provider.package;
  return { create: create as CreateProvider, speller };
}
