/** What `cairn doctor` found out about one thing. */
export interface Finding {
  readonly check:
    | ("node" | "configuration" | "data folder" | "database" | "model")
    | ("search" | "documents" | "html documents" | "programs" | "mcp");
  readonly ok: boolean;
  /** Not here and not asked for: whoever needs it knows now how to get it. */
  readonly isOptional?: boolean;
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}
