/** Every provider that the product knows, in the order in which they are offered. A new provider adds one line here. */
import { anthropic } from "./anthropic.ts";
import { bedrock } from "./bedrock.ts";
import { google } from "./google.ts";
import { openai } from "./openai.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import type { Provider } from "./provider.ts";

export const MODEL_PROVIDERS: readonly Provider[] = [anthropic, openai, google, openaiCompatible, bedrock];
