/**
 * System calls that no program needs, by number, and those that only some sandboxes allow.
 *
 * They are denied because they reach other processes (`ptrace`), reach things that no namespace isolates (keyrings, the
 * clock, kernel modules), have most often been exploited in kernels (`bpf`, `io_uring`, `userfaultfd`, mounts), or hold
 * memory that belongs to no process and therefore to no limit (`memfd_create`, `vmsplice`, semaphores, messages and
 * segments of System V, message queues of POSIX). For the same reason shared memory without a file cannot be mapped.
 */
export interface SyscallTable {
  /** AUDIT_ARCH of the kernel. */
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
  /** Calls that create links. */
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

const X64: SyscallTable = {
  arch: 0xc000_003e,
  clone: 56,
  clone3: 435,
  closeRange: 436,
  socket: 41,
  ioctl: 16,
  mmap: 9,
  denied: {
    ...COMMON,
    shmget: 29,
    semget: 64,
    msgget: 68,
    ptrace: 101,
    syslog: 103,
    personality: 135,
    vhangup: 153,
    modify_ldt: 154,
    pivot_root: 155,
    adjtimex: 159,
    chroot: 161,
    acct: 163,
    settimeofday: 164,
    mount: 165,
    umount2: 166,
    swapon: 167,
    swapoff: 168,
    reboot: 169,
    sethostname: 170,
    setdomainname: 171,
    iopl: 172,
    ioperm: 173,
    init_module: 175,
    delete_module: 176,
    quotactl: 179,
    clock_settime: 227,
    mq_open: 240,
    kexec_load: 246,
    add_key: 248,
    request_key: 249,
    keyctl: 250,
    unshare: 272,
    vmsplice: 278,
    perf_event_open: 298,
    fanotify_init: 300,
    name_to_handle_at: 303,
    open_by_handle_at: 304,
    clock_adjtime: 305,
    setns: 308,
    process_vm_readv: 310,
    process_vm_writev: 311,
    kcmp: 312,
    finit_module: 313,
    memfd_create: 319,
    kexec_file_load: 320,
    bpf: 321,
    userfaultfd: 323,
  },
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
  denied: {
    ...COMMON,
    umount2: 39,
    mount: 40,
    pivot_root: 41,
    chroot: 51,
    vhangup: 58,
    quotactl: 60,
    vmsplice: 75,
    acct: 89,
    personality: 92,
    unshare: 97,
    kexec_load: 104,
    init_module: 105,
    delete_module: 106,
    clock_settime: 112,
    syslog: 116,
    ptrace: 117,
    reboot: 142,
    sethostname: 161,
    setdomainname: 162,
    settimeofday: 170,
    adjtimex: 171,
    mq_open: 180,
    msgget: 186,
    semget: 190,
    shmget: 194,
    add_key: 217,
    request_key: 218,
    keyctl: 219,
    swapon: 224,
    swapoff: 225,
    perf_event_open: 241,
    fanotify_init: 262,
    name_to_handle_at: 264,
    open_by_handle_at: 265,
    clock_adjtime: 266,
    setns: 268,
    process_vm_readv: 270,
    process_vm_writev: 271,
    kcmp: 272,
    finit_module: 273,
    memfd_create: 279,
    bpf: 280,
    userfaultfd: 282,
    kexec_file_load: 294,
  },
  forks: { kill: 129, tkill: 130, pidfd_send_signal: 424 },
  links: { mknodat: 33, symlinkat: 36, linkat: 37 },
};

/** Null for an architecture without a table. */
export function syscallsOf(arch: string): SyscallTable | null {
  if (arch === "x64") return X64;
  return arch === "arm64" ? ARM64 : null;
}
