/** Maximum number of bytes in the body of a request. */
import type { SizeRule } from "./rule.ts";

const MB = 1_024 * 1_024;

export const SIZES = {
  anthropic: {
    maxBytes: 32 * MB,
    source: "https://platform.claude.com/docs/en/build-with-claude/vision",
    date: "2026-11-16",
  },
  openai: {
    maxBytes: 50 * MB,
    source: "https://platform.openai.com/docs/guides/images-vision",
    date: "2026-11-16",
  },
  bedrock: {
    maxBytes: 25_000_000,
    source: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html",
    date: "2026-11-16",
  },
  google: {
    maxBytes: 100 * MB,
    source: "https://blog.google/innovation-and-ai/technology/developers-tools/gemini-api-new-file-limits",
    date: "2026-11-16",
  },
} as const satisfies Readonly<Record<string, SizeRule>>;
