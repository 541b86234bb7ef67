/** A reader that misbehaves as its options say, for tests of the host. */
import { CairnError } from "@cairn/timeline/error";

const DEEDS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  count: (bytes) => ({ bytes: bytes.length, pid: process.pid }),
  "one large array": () => Array.from(new Array(100_000_000).fill(1.5), (x) => ({ x })),
  "many matches": () => "a".repeat(50_000_000).match(/a/g),
  buffers: () => Array.from({ length: 60 }, () => Buffer.alloc(50_000_000, 1)).length,
  wasm: () => new Uint8Array(new WebAssembly.Memory({ initial: 40_000 }).buffer).fill(1).length,
  loop: () => {
    for (;;);
  },
  recursion: () => {
    const deeper = (n: number): number => 1 + deeper(n + 1);
    return deeper(0);
  },
  exit: () => process.exit(3),
  "long text": () => "x".repeat(20_000_000),
  "its own error": () => {
    throw new CairnError("unreadable", "The picture is torn.");
  },
  "any error": () => {
    throw new TypeError("no such table");
  },
  environment: () => Object.keys(process.env),
  print: () => {
    console.log("hello");
    return "printed";
  },
};

export default function wayward(bytes: Uint8Array, { deed }: { readonly deed: string }): unknown {
  return DEEDS[deed]?.(bytes);
}
