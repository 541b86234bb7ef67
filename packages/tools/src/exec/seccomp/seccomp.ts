/**
 * The filter of system calls, as a classic BPF program for the kernel: eight bytes per instruction, forward jumps only,
 * counted from the next instruction.
 *
 * Denied calls fail with EPERM, so that a program sees an error and is not killed. `clone3` fails with ENOSYS: its
 * flags are in memory that a filter cannot read, and the C library falls back to `clone`, whose flags it can check.
 */
import { type SyscallTable, syscallsOf } from "./syscalls.ts";

const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

/** Offsets in the kernel's `seccomp_data`; for an argument, the low half on little-endian machines. */
const NUMBER = 0;
const ARCH = 4;
const argument = (index: number) => 16 + 8 * index;

const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const errno = (code: number) => 0x0005_0000 | code;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Flags that create namespaces: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = 0x7e02_0000;
/** The lowest number of a call of the x32 interface, on x64. */
const X32 = 0x4000_0000;
/** In `clone`: creates a thread and not a process. */
const CLONE_THREAD = 0x0001_0000;
/** Flag of `clone` that shares the caller's file descriptors. */
const CLONE_FILES = 0x0000_0400;
/** In `close_range`: gives the caller its own descriptors from now on. */
const CLOSE_RANGE_UNSHARE = 0x02;
/** Requests that type into a terminal: TIOCSTI and TIOCLINUX. */
const TERMINAL_CONTROLS = [0x5412, 0x541c];

/** The permissions of a program, which differ between sandboxes. */
export interface FilterRules {
  readonly families: readonly number[];
  /** Whether the program may start processes in addition to threads. */
  readonly forks: boolean;
  /** Whether the program may create links and special files. */
  readonly links: boolean;
}

/** Rules for programs in their own namespaces: only local and internet sockets, because others are not isolated. */
export const IN_NAMESPACES: FilterRules = { families: [1, 2, 10, 16], forks: true, links: true };
/** Rules for a single process that only computes and reads and writes files. */
export const ALONE: FilterRules = { families: [], forks: false, links: false };

/** Flags of `mmap`: a bit of MAP_SHARED and MAP_SHARED_VALIDATE that MAP_PRIVATE lacks; and memory without a file. */
const [SHARED, ANONYMOUS] = [0x01, 0x20];

type Instruction = readonly [code: number, value: number, whenTrue?: number, whenFalse?: number];

/** The filter for this machine; null for an architecture without a table. */
export function seccompFilter(rules: FilterRules, arch: string = process.arch): Buffer | null {
  const table = syscallsOf(arch);
  return table === null ? null : encode(instructions(table, rules));
}

function instructions(table: SyscallTable, rules: FilterRules): readonly Instruction[] {
  const denied = { ...table.denied, ...(rules.forks ? {} : table.forks), ...(rules.links ? {} : table.links) };
  return [
    [LOAD_WORD, ARCH],
    [JUMP_EQUAL, table.arch, 1, 0],
    [RETURN, KILL],
    [LOAD_WORD, NUMBER],
    [JUMP_AT_LEAST, X32, 0, 1],
    [RETURN, errno(ENOSYS)],
    ...Object.values(denied).flatMap((number): Instruction[] => [
      [JUMP_EQUAL, number, 0, 1],
      [RETURN, errno(EPERM)],
    ]),
    [JUMP_EQUAL, table.clone3, 0, 1],
    [RETURN, errno(ENOSYS)],
    ...when(table.clone, [
      [LOAD_WORD, argument(0)],
      [JUMP_ANY_BIT, NEW_NAMESPACES, 0, 1],
      [RETURN, errno(EPERM)],
      ...(rules.forks ? [] : THREADS_ONLY),
      // A thread must share the descriptors of its process, because only those of the process are checked.
      [JUMP_ANY_BIT, CLONE_THREAD, 0, 2],
      [JUMP_ANY_BIT, CLONE_FILES, 1, 0],
      [RETURN, errno(EPERM)],
      [RETURN, ALLOW],
    ]),
    ...when(table.closeRange, [
      [LOAD_WORD, argument(2)],
      [JUMP_ANY_BIT, CLOSE_RANGE_UNSHARE, 0, 1],
      [RETURN, errno(EPERM)],
      [RETURN, ALLOW],
    ]),
    ...when(table.socket, [
      [LOAD_WORD, argument(0)],
      ...rules.families.flatMap((family): Instruction[] => [
        [JUMP_EQUAL, family, 0, 1],
        [RETURN, ALLOW],
      ]),
      [RETURN, errno(EAFNOSUPPORT)],
    ]),
    ...when(table.ioctl, [
      [LOAD_WORD, argument(1)],
      ...TERMINAL_CONTROLS.flatMap((control): Instruction[] => [
        [JUMP_EQUAL, control, 0, 1],
        [RETURN, errno(EPERM)],
      ]),
      [RETURN, ALLOW],
    ]),
    ...when(table.mmap, [
      [LOAD_WORD, argument(3)],
      [JUMP_ANY_BIT, ANONYMOUS, 0, 2],
      [JUMP_ANY_BIT, SHARED, 0, 1],
      [RETURN, errno(EPERM)],
      [RETURN, ALLOW],
    ]),
    [RETURN, ALLOW],
  ];
}

const THREADS_ONLY: readonly Instruction[] = [
  [JUMP_ANY_BIT, CLONE_THREAD, 1, 0],
  [RETURN, errno(EPERM)],
];

/** `body` handles one system call and must end with a verdict: the call's number is not loaded again after it. */
function when(number: number, body: readonly Instruction[]): readonly Instruction[] {
  return [[JUMP_EQUAL, number, 0, body.length], ...body];
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, value, whenTrue = 0, whenFalse = 0]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}
