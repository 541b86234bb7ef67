/** Servers of Chat Completions whose refusals the simulator knows (`refusals/chat-servers.ts`). */
export type ServerName =
  | "mistral"
  | "gemma"
  | "qwen"
  | "llama"
  | "deepseek"
  | "ollama"
  | "gemini"
  | "vllm"
  | "toolless";
