/**
 * From the name a person writes in `CAIRN_MODEL` to a model. Provider packages are optional and loaded only when their
 * models are asked for; what is missing is named, with what to do about it.
 */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { CairnError } from "@cairn/timeline";
import { offlineModel } from "../offline/offline-model.ts";
import { aiSdkModel } from "./ai-sdk-model.ts";
import { cacheRulesOf, factsOf, type Vendor } from "./catalog.ts";
import type { Model } from "./model.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ResolveOptions {
  /** Loads a package; a dynamic import unless a test says otherwise. */
  readonly load?: (packageName: string) => Promise<unknown>;
}

interface VendorSetup {
  readonly package: string;
  /** Name of the function that makes the provider. */
  readonly create: string;
  /** The variables that may hold the key, the usual one first; none where a key may be absent. */
  readonly keys: readonly string[];
  readonly settings: (env: Environment) => Record<string, string>;
}

const VENDORS: Readonly<Record<Vendor, VendorSetup>> = {
  anthropic: {
    package: "@ai-sdk/anthropic",
    create: "createAnthropic",
    keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    settings: (env) => ({
      ...(setting(env, "ANTHROPIC_API_KEY") === null
        ? optional("authToken", setting(env, "ANTHROPIC_AUTH_TOKEN"))
        : optional("apiKey", setting(env, "ANTHROPIC_API_KEY"))),
      // The variable is the host by custom, the package wants the version too.
      ...optional("baseURL", withVersion(urlOf(env, "ANTHROPIC_BASE_URL"))),
    }),
  },
  openai: {
    package: "@ai-sdk/openai",
    create: "createOpenAI",
    keys: ["OPENAI_API_KEY"],
    settings: (env) => ({
      ...optional("apiKey", setting(env, "OPENAI_API_KEY")),
      ...optional("baseURL", urlOf(env, "OPENAI_BASE_URL")),
    }),
  },
  google: {
    package: "@ai-sdk/google",
    create: "createGoogle",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
    settings: (env) => ({
      ...optional("apiKey", firstOf(env, ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"])),
      ...optional("baseURL", urlOf(env, "GOOGLE_GENERATIVE_AI_BASE_URL")),
    }),
  },
  "openai-compatible": {
    package: "@ai-sdk/openai-compatible",
    create: "createOpenAICompatible",
    keys: [],
    settings: (env) => {
      const baseURL = urlOf(env, "CAIRN_MODEL_BASE_URL");
      if (baseURL === null)
        throw new CairnError(
          "model_base_url_missing",
          "Set CAIRN_MODEL_BASE_URL to the server's address, such as http://127.0.0.1:11434/v1.",
          { variable: "CAIRN_MODEL_BASE_URL" },
        );
      return { name: "openai-compatible", baseURL, ...optional("apiKey", setting(env, "CAIRN_MODEL_API_KEY")) };
    },
  },
};

/** `offline`, or `<vendor>:<id>`. `CAIRN_MODEL_CONTEXT_TOKENS` and `CAIRN_MODEL_MAX_OUTPUT_TOKENS` go before what is known. */
export async function resolveModel(name: string, env: Environment, options: ResolveOptions = {}): Promise<Model> {
  if (name === "offline") return offlineModel();
  const { vendor, id } = parseName(name);
  const setup = VENDORS[vendor];
  if (setup.keys.length > 0 && firstOf(env, setup.keys) === null)
    throw new CairnError("model_key_missing", `${name} needs a key: set ${setup.keys[0]}.`, {
      variable: setup.keys[0],
    });
  const settings = setup.settings(env);
  const provider = await loadProvider(setup, options.load ?? ((packageName) => import(packageName)));
  const facts = factsOf(vendor, id);
  return aiSdkModel({
    ...facts,
    contextTokens: countOf(env, "CAIRN_MODEL_CONTEXT_TOKENS") ?? facts.contextTokens,
    maxOutputTokens: countOf(env, "CAIRN_MODEL_MAX_OUTPUT_TOKENS") ?? facts.maxOutputTokens,
    model: (fetch) => provider.create({ ...settings, fetch })(id),
    speller: provider.speller,
    id: name,
    provider: cacheRulesOf(vendor, id),
  });
}

/**
 * The model a receipt names, for spelling its request again. Nothing is sent, so that no key is needed.
 * Throws as `resolveModel` does when the name is none, or its package is not installed.
 */
export function resolveSpeller(name: string, options: ResolveOptions = {}): Promise<Model> {
  return resolveModel(name, spellerEnvironment({}), options);
}

/** An environment in which every model can be made, and none that lacks its key can be talked to. */
export function spellerEnvironment(env: Environment): Environment {
  const missing = Object.values(VENDORS).flatMap(({ keys }) =>
    keys[0] !== undefined && firstOf(env, keys) === null ? [[keys[0], "unsent"]] : [],
  );
  const address = setting(env, "CAIRN_MODEL_BASE_URL") ?? "http://127.0.0.1";
  return { ...env, ...Object.fromEntries(missing), CAIRN_MODEL_BASE_URL: address };
}

function parseName(name: string): { vendor: Vendor; id: string } {
  const colon = name.indexOf(":");
  const vendor = colon === -1 ? name : name.slice(0, colon);
  const id = colon === -1 ? "" : name.slice(colon + 1).trim();
  if (!isVendor(vendor) || id === "")
    throw new CairnError(
      "bad_model_name",
      `${JSON.stringify(name.slice(0, 200))} is no model: write offline, or ${Object.keys(VENDORS)
        .map((each) => `${each}:<id>`)
        .join(", ")}.`,
      { name: name.slice(0, 200) },
    );
  return { vendor, id };
}

function isVendor(name: string): name is Vendor {
  return Object.hasOwn(VENDORS, name);
}

type CreateProvider = (settings: Record<string, string | typeof globalThis.fetch>) => (id: string) => LanguageModelV4;

async function loadProvider(
  setup: VendorSetup,
  load: NonNullable<ResolveOptions["load"]>,
): Promise<{ readonly create: CreateProvider; readonly speller: string }> {
  let loaded: unknown;
  try {
    loaded = await load(setup.package);
  } catch (cause) {
    throw new CairnError("model_package_missing", `${setup.package} is not installed: npm install ${setup.package}`, {
      package: setup.package,
      cause: cause instanceof Error ? cause.message : String(cause),
    });
  }
  const { [setup.create]: create, VERSION: version } = loaded as Readonly<Record<string, unknown>>;
  if (typeof create !== "function")
    throw new CairnError("model_package_missing", `This version of ${setup.package} has no ${setup.create}.`, {
      package: setup.package,
    });
  const speller = typeof version === "string" ? `${setup.package} ${version}` : setup.package;
  return { create: create as CreateProvider, speller };
}

/** An empty variable is an absent one. */
function setting(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === "" ? null : value;
}

function firstOf(env: Environment, names: readonly string[]): string | null {
  for (const name of names) {
    const value = setting(env, name);
    if (value !== null) return value;
  }
  return null;
}

function urlOf(env: Environment, name: string): string | null {
  const value = setting(env, name);
  if (value === null) return null;
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? ""))
    throw new CairnError("bad_base_url", `${name} is no http address: ${value}`, { variable: name, value });
  return value.replace(/\/+$/, "");
}

function withVersion(url: string | null): string | null {
  return url === null || /\/v\d+$/.test(url) ? url : `${url}/v1`;
}

function countOf(env: Environment, name: string): number | null {
  const value = setting(env, name);
  if (value === null) return null;
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new CairnError("bad_setting", `${name} must be a number of tokens, not ${value}.`, { variable: name, value });
  return Number(value);
}

function optional(key: string, value: string | null): Record<string, string> {
  return value === null ? {} : { [key]: value };
}
