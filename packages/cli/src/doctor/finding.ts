/** The result of one check of `cairn doctor`. */
export interface Finding {
  readonly check:
    | ("node" | "configuration" | "data folder" | "database" | "model")
    | ("search" | "documents" | "html documents" | "programs" | "skills" | "mcp");
  readonly ok: boolean;
  /** Whether the missing part is optional. The message then says how to install it. */
  readonly isOptional?: boolean;
  readonly message: string;
  /** How to fix the problem. */
  readonly fix?: string;
}
