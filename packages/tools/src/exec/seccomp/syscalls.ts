/**
 * System calls that no program needs, by number, and those that only some sandboxes allow.
 *
 * These calls are denied because they reach other processes (`ptrace`), reach things that no namespace isolates
 * (keyrings, the clock, kernel modules), have most often been exploited in kernels (`bpf`, `io_uring`, `userfaultfd`,
 * mounts), or hold memory that belongs to no process and therefore to no limit (`memfd_create`, `vmsplice`, semaphores,
 * messages and segments of System V, message queues of POSIX). For the same reason shared memory without a file cannot
 * be mapped.
 */
export interface SyscallTable {
  /** The kernel's constant AUDIT_ARCH of the processor architecture. */
  readonly arch: number;
  readonly clone: number;
  readonly clone3: number;
  readonly closeRange: number;
  readonly socket: number;
  readonly ioctl: number;
  readonly mmap: number;
  readonly denied: Readonly<Record<string, number>>;
  /** Calls that start a process or reach one, whatever their arguments. */
  readonly forks: Readonly<Record<string, number>>;
  readonly links: Readonly<Record<string, number>>;
}

/** Calls with the same number on every architecture: all that are newer than 2019. */
const COMMON = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
  quotactl_fd: 443,
  memfd_secret: 447,
} as const;

/** Other calls, with their numbers on x64 and on arm64. */
const BY_ARCH = {
  shmget: [29, 194],
  semget: [64, 190],
  msgget: [68, 186],
  ptrace: [101, 117],
  syslog: [103, 116],
  personality: [135, 92],
  vhangup: [153, 58],
  pivot_root: [155, 41],
  adjtimex: [159, 171],
  chroot: [161, 51],
  acct: [163, 89],
  settimeofday: [164, 170],
  mount: [165, 40],
  umount2: [166, 39],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  init_module: [175, 105],
  delete_module: [176, 106],
  quotactl: [179, 60],
  clock_settime: [227, 112],
  mq_open: [240, 180],
  kexec_load: [246, 104],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  unshare: [272, 97],
  vmsplice: [278, 75],
  perf_event_open: [298, 241],
  fanotify_init: [300, 262],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  clock_adjtime: [305, 266],
  setns: [308, 268],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  finit_module: [313, 273],
  memfd_create: [319, 279],
  kexec_file_load: [320, 294],
  bpf: [321, 280],
  userfaultfd: [323, 282],
} as const;

function denied(column: 0 | 1): Readonly<Record<string, number>> {
  return { ...COMMON, ...Object.fromEntries(Object.entries(BY_ARCH).map(([name, row]) => [name, row[column]])) };
}

const X64: SyscallTable = {
  arch: 0xc000_003e,
  clone: 56,
  clone3: 435,
  closeRange: 436,
  socket: 41,
  ioctl: 16,
  mmap: 9,
  denied: { ...denied(0), modify_ldt: 154, iopl: 172, ioperm: 173 },
  forks: { fork: 57, vfork: 58, kill: 62, tkill: 200, pidfd_send_signal: 424 },
  links: { link: 86, symlink: 88, mknod: 133, mknodat: 259, linkat: 265, symlinkat: 266 },
};

const ARM64: SyscallTable = {
  arch: 0xc000_00b7,
  clone: 220,
  clone3: 435,
  closeRange: 436,
  socket: 198,
  ioctl: 29,
  mmap: 222,
  denied: denied(1),
  forks: { kill: 129, tkill: 130, pidfd_send_signal: 424 },
  links: { mknodat: 33, symlinkat: 36, linkat: 37 },
};

export function syscallsOf(arch: string): SyscallTable | null {
  if (arch === "x64") return X64;
  return arch === "arm64" ? ARM64 : null;
}
