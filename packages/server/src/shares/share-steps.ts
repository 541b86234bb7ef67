/** Wraps a store. Each call, and each transaction of a call, waits for the owner's share of processor time. */
import { beforeTransaction, type Scope } from "@cairn/store";
import type { OpenedStore } from "cairn-agent/process";
import type { Processor } from "./processor.ts";

/** Renewing a lease does not wait, because the turn's work is lost if its lease is not renewed in time. */
const AT_ONCE: ReadonlySet<string | symbol> = new Set(["renewLease", "releaseLease", "follow"]);

export function shareSteps(store: OpenedStore, processor: Processor): OpenedStore {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...given: readonly unknown[]) => {
        const call = () => Reflect.apply(method, target, given);
        const [owner] = given;
        if (AT_ONCE.has(name) || !isScope(owner)) return call();
        const enter = () => processor.enter(owner);
        return name === "readBlob" || name === "exportConversation"
          ? pieces(call(), enter)
          : enter().then(() => beforeTransaction.run(afterFirst(enter), call));
      };
    },
  });
}

/** The first transaction of a call needs no step of its own, because it belongs to the call's first step. */
function afterFirst(enter: () => Promise<void>): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (!isFirst) await enter();
    isFirst = false;
  };
}

async function* pieces<T>(source: AsyncIterable<T>, enter: () => Promise<void>): AsyncGenerator<T> {
  await enter();
  for await (const piece of source) {
    yield piece;
    await enter();
  }
}

function isScope(value: unknown): value is Scope {
  return typeof value === "object" && value !== null && "tenant" in value && "user" in value;
}
