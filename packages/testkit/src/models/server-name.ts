/** Servers of Chat Completions whose refusals the simulator knows (`openai-chat/servers.ts`). */
export type ServerName = "mistral" | "gemma" | "qwen" | "llama" | "deepseek" | "ollama";
