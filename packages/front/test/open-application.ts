/** An application for tests: agents with scripted models on a store in a temporary folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCairn } from "../src/create-cairn.ts";
import type { CairnOptions } from "../src/define/cairn-options.ts";
import type { Cairn } from "../src/library/cairn.ts";
import type { Run } from "../src/library/run.ts";
import type { RunPart } from "../src/library/run-part.ts";

export class Application implements AsyncDisposable {
  readonly folder: string;
  readonly cairn: Cairn;
  readonly #others: Cairn[] = [];

  private constructor(folder: string, cairn: Cairn) {
    this.folder = folder;
    this.cairn = cairn;
  }

  static async open(agents: CairnOptions["agents"], options: Partial<CairnOptions> = {}): Promise<Application> {
    const folder = await mkdtemp(join(tmpdir(), "cairn-application-"));
    try {
      return new Application(folder, await createCairn({ agents, store: folder, ...options }));
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Opens another application on the same store, as another process would do. */
  async another(agents: CairnOptions["agents"], options: Partial<CairnOptions> = {}): Promise<Cairn> {
    const other = await createCairn({ agents, store: this.folder, ...options });
    this.#others.push(other);
    return other;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of [this.cairn, ...this.#others]) await each.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export async function partsOf(run: Run): Promise<readonly RunPart[]> {
  return Array.fromAsync(run);
}

/** Parts in short form: `tool refund done`, `text Hello`. Pieces of one text are joined. */
export function brief(parts: readonly RunPart[]): readonly string[] {
  const lines: { readonly id: string; line: string }[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if ((part.type === "text" || part.type === "reasoning") && last?.id === part.id) last.line += part.text;
    else lines.push({ id: part.type === "text" || part.type === "reasoning" ? part.id : "", line: lineOf(part) });
  }
  return lines.map(({ line }) => line);
}

function lineOf(part: RunPart): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return `${part.type} ${part.text}`;
    case "tool":
      return `tool ${part.name} ${part.status}`;
    case "approval":
    case "client_tool":
      return `${part.type} ${part.tool}`;
    case "source":
      return `source ${part.source.sid}`;
    case "file":
      return `file ${part.file.name}`;
    case "plan":
      return `plan ${part.plan.steps.length}`;
    case "notice":
      return `notice ${part.code}`;
  }
}
