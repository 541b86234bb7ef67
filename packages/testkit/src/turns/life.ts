/**
 * One process that runs turns, and its crash at a chosen step.
 *
 * Every call of the store, every request to the model and every effect of a tool passes through this file. At the
 * chosen step the process crashes: that step throws and so does every later one, nothing is returned, and later
 * attempts of the crashed code have no effect. A step "before" a call crashes without making it; a step "after" crashes
 * when the call is done and its answer is lost.
 */
import type { Model } from "@cairn/agent";
import type { ConversationStore } from "@cairn/store";
import { bySize } from "../runs.ts";

export class Life {
  readonly steps: string[] = [];
  readonly death = new Error("The process died.");
  readonly #isLast: (step: string, at: number) => boolean;
  readonly #ended = new AbortController();
  readonly #onStep: (step: string) => void;

  /** Crashes at the step of the given number, from 0, or at the first step the function accepts; null never crashes. */
  constructor(killAt: number | null | ((step: string) => boolean), onStep: (step: string) => void = () => undefined) {
    this.#isLast = typeof killAt === "function" ? killAt : (_, at) => at === killAt;
    this.#onStep = onStep;
  }

  get isOver(): boolean {
    return this.#ended.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  pass(step: string): void {
    if (this.isOver) throw this.death;
    this.#onStep(step);
    if (!this.#isLast(step, this.steps.push(step) - 1)) return;
    this.#ended.abort(this.death);
    throw this.death;
  }

  /** Wraps the store, so that the process can crash before or after each call. */
  store<S extends ConversationStore>(inner: S): S {
    const life = this;
    return new Proxy(inner, {
      get(target, name, receiver) {
        const method: unknown = Reflect.get(target, name, target);
        if (typeof method !== "function" || typeof name !== "string") return Reflect.get(target, name, receiver);
        if (name === "follow")
          return (key: unknown, options: { readonly signal?: AbortSignal } = {}) => {
            const signals = [life.signal, ...(options.signal === undefined ? [] : [options.signal])];
            return method.call(target, key, { ...options, signal: AbortSignal.any(signals) }) as unknown;
          };
        return (...args: unknown[]) => {
          life.pass(`before ${describe(name, args)}`);
          const result: unknown = method.apply(target, args);
          if (!(result instanceof Promise)) return result;
          return result.then((value: unknown) => {
            life.pass(`after ${describe(name, args)}`);
            return value;
          });
        };
      },
    });
  }

  /** Wraps the model, so that the process can crash while it asks the model. */
  model(inner: Model): Model {
    const life = this;
    return {
      ...inner,
      stream: async function* (request, options) {
        life.pass("before the model is asked");
        let begun = false;
        const signal = AbortSignal.any([options.signal, life.signal]);
        for await (const part of inner.stream(request, { ...options, signal })) {
          if (!begun) life.pass("the model has begun to answer");
          begun = true;
          yield part;
        }
        life.pass("the model has answered");
      },
    };
  }
}

/**
 * The numbers of the steps at which a run crashes, in order. A long run takes all of them. A crash at a read has the
 * same effect as a crash at the write before it, so shorter runs skip reads. Of similar steps, shorter runs take the
 * first and every nth after it.
 */
export function stepsToKillAt(
  steps: readonly string[],
  nth: { readonly quick: number; readonly usual: number },
): number[] {
  const every = bySize({ ...nth, long: 0 });
  const seen = new Map<string, number>();
  return [...steps.keys()].filter((at) => {
    const step = steps[at] ?? "";
    const before = seen.get(step) ?? 0;
    seen.set(step, before + 1);
    return every === 0 || (!isRead(step) && before % every === 0);
  });
}

function isRead(step: string): boolean {
  return /^(?:before|after) (?:load|loadOutline|readEvents|findByPath|turns|search|putBlob)$/.test(step);
}

/** Names a call for the list of steps. An append is named by its events. */
function describe(name: string, args: readonly unknown[]): string {
  const events = args[1];
  if (name !== "append" || !Array.isArray(events)) return name;
  return `append ${[...new Set(events.map((event: { kind: string }) => event.kind))].join(" ")}`;
}
