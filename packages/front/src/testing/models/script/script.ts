/**
 * The steps of a test's script. Each request uses the step that matches it.
 *
 * A request takes the first remaining step that accepts it, so that concurrent conversations can be scripted side by
 * side; a step without a condition accepts any request. A step is used once unless `times` says otherwise.
 */
import type { ModelRequest } from "./model-request.ts";
import type { Reply } from "./reply.ts";

export interface Step {
  /** The name of the step in error messages; default: `step 3` for the third one. */
  readonly name?: string;
  readonly when?: (request: ModelRequest) => boolean;
  readonly reply: Reply | ((request: ModelRequest) => Reply);
  /** How often the step may be used; `Number.POSITIVE_INFINITY` for always. */
  readonly times?: number;
}

interface Waiting {
  readonly name: string;
  readonly step: Step;
  left: number;
}

export interface TakenStep {
  readonly name: string;
  readonly reply: Reply;
}

export class Script {
  #waiting: Waiting[] = [];
  #count = 0;

  add(steps: readonly Step[]): void {
    for (const step of steps) {
      this.#count++;
      this.#waiting.push({ name: step.name ?? `step ${this.#count}`, step, left: step.times ?? 1 });
    }
  }

  /** Names of the steps that were not used up, except unlimited ones. */
  get remaining(): string[] {
    return this.#waiting.filter(({ left }) => Number.isFinite(left)).map(({ name }) => name);
  }

  take(request: ModelRequest): TakenStep | null {
    const found = this.#waiting.find(({ step }) => step.when?.(request) ?? true);
    if (found === undefined) return null;
    found.left--;
    if (found.left <= 0) this.#waiting = this.#waiting.filter((each) => each !== found);
    const { reply } = found.step;
    return { name: found.name, reply: typeof reply === "function" ? reply(request) : reply };
  }

  /** The error names the request and the steps that remain. */
  describeMiss(request: ModelRequest): string {
    const asked = request.lastText.length > 200 ? `${request.lastText.slice(0, 200)}…` : request.lastText;
    const names = this.#waiting.map(({ name }) => name);
    const left = names.length === 0 ? "no step is left" : `steps left: ${names.join(", ")}`;
    const tools = request.toolNames.length === 0 ? "no tools" : `tools ${request.toolNames.join(", ")}`;
    return `No step of the script fits this request to ${request.api} (${request.model}, ${tools}, last text ${JSON.stringify(asked)}); ${left}.`;
  }
}
