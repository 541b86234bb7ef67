/** Runs the filter as the kernel does: with an interpreter of the few instructions that the filter uses. */
import { describe, expect, it } from "vitest";
import { ALONE, IN_NAMESPACES, seccompFilter } from "./seccomp.ts";
import { syscallsOf } from "./syscalls.ts";

const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const errno = (code: number) => 0x0005_0000 | code;

function decide(filter: Buffer, arch: number, number: number, args: readonly number[] = []): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(arch >>> 0, 4);
  for (const [index, value] of args.entries()) data.writeUInt32LE(value >>> 0, 16 + index * 8);
  let held = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const code = filter.readUInt16LE(at * 8);
    const [whenTrue, whenFalse] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)];
    const value = filter.readUInt32LE(at * 8 + 4);
    if (code === 0x20) held = data.readUInt32LE(value);
    else if (code === 0x06) return value;
    else {
      const holds = code === 0x15 ? held === value : code === 0x35 ? held >= value : (held & value) !== 0;
      at += holds ? whenTrue : whenFalse;
    }
  }
  throw new Error("the program ended without a decision");
}

describe.each(["x64", "arm64"])("the filter of %s", (machine) => {
  const table = syscallsOf(machine);
  const filter = seccompFilter(IN_NAMESPACES, machine);
  const alone = seccompFilter(ALONE, machine);
  if (table === null || filter === null || alone === null) throw new Error("no table");
  const of = (number: number, args?: readonly number[]) => decide(filter, table.arch, number, args);

  it("denies the listed calls only", () => {
    const denied = new Set(Object.values(table.denied));
    const special = new Set([table.clone, table.clone3, table.socket, table.ioctl, table.mmap]);
    for (let number = 0; number < 500; number++)
      if (!special.has(number)) expect([number, of(number)]).toEqual([number, denied.has(number) ? errno(1) : ALLOW]);
  });

  it("allows processes and threads, but no namespaces", () => {
    expect(of(table.clone, [17])).toBe(ALLOW);
    expect(of(table.clone, [0x003d_0f00])).toBe(ALLOW);
    for (const flag of [0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000])
      expect(of(table.clone, [flag | 17])).toBe(errno(1));
    expect(of(table.clone3)).toBe(errno(38));
  });

  it("allows no thread with its own descriptors, which could not be watched", () => {
    for (const each of [filter, alone]) {
      expect(decide(each, table.arch, table.clone, [0x003d_0f00 & ~0x400])).toBe(errno(1));
      expect(decide(each, table.arch, table.closeRange, [3, 9, 2])).toBe(errno(1));
      expect(decide(each, table.arch, table.closeRange, [3, 9, 6])).toBe(errno(1));
      for (const flags of [0, 4]) expect(decide(each, table.arch, table.closeRange, [3, 9, flags])).toBe(ALLOW);
    }
  });

  it("allows sockets of the usual families, and no input into a terminal", () => {
    expect([1, 2, 10, 16].map((family) => of(table.socket, [family]))).toEqual([ALLOW, ALLOW, ALLOW, ALLOW]);
    expect([40, 17, 38, 31].map((family) => of(table.socket, [family]))).toEqual(Array(4).fill(errno(97)));
    expect([0x5412, 0x541c].map((control) => of(table.ioctl, [0, control]))).toEqual([errno(1), errno(1)]);
    expect(of(table.ioctl, [0, 0x5401])).toBe(ALLOW);
  });

  it("allows private mappings and shared mappings of files, but no shared anonymous memory", () => {
    const [shared, own, validated, anonymous, fixed] = [1, 2, 3, 0x20, 0x10];
    for (const flags of [shared, own, validated, own | anonymous, own | anonymous | fixed, shared | fixed])
      expect(of(table.mmap, [0, 0, 3, flags])).toBe(ALLOW);
    for (const flags of [shared | anonymous, validated | anonymous, shared | anonymous | fixed])
      expect(of(table.mmap, [0, 0, 3, flags])).toBe(errno(1));
  });

  it("allows a single-process program threads and files, but no processes, links or sockets", () => {
    const denied = new Set([table.denied, table.forks, table.links].flatMap((calls) => Object.values(calls)));
    const special = new Set([table.clone, table.clone3, table.socket, table.ioctl, table.mmap]);
    for (let number = 0; number < 500; number++)
      if (!special.has(number))
        expect([number, decide(alone, table.arch, number)]).toEqual([number, denied.has(number) ? errno(1) : ALLOW]);
    expect(decide(alone, table.arch, table.clone, [0x003d_0f00])).toBe(ALLOW);
    expect(decide(alone, table.arch, table.clone, [17])).toBe(errno(1));
    expect(decide(alone, table.arch, table.clone, [0x003d_0f00 | 0x1000_0000])).toBe(errno(1));
    for (const family of [1, 2, 10, 16, 40]) expect(decide(alone, table.arch, table.socket, [family])).toBe(errno(97));
  });

  it("kills a program that makes calls of another architecture", () => {
    expect(decide(filter, 0x4000_0003, 1)).toBe(KILL);
    expect(of(0x4000_0000 + 1)).toBe(errno(38));
  });
});

it("a machine with unlisted system calls gets no filter", () => {
  expect(seccompFilter(ALONE, "riscv64")).toBeNull();
});
