// Gives up rights permanently and then becomes the program that the arguments name: the kernel confines everything that
// follows. The script runs on Linux only. Its arguments are a file with a plan in JSON (`filter`: the filter of system
// calls; `read` and `write`: folders and files), then the program and its arguments. Landlock, if the kernel has it,
// limits the process to these folders, however a program opens files. If the filter cannot be installed, nothing is
// started. Every program waits for this script. It imports no `node:` modules, because Deno takes long to load them.
const [plan, program, ...rest] = Deno.args;
const { filter, read, write } = JSON.parse(Deno.readTextFileSync(plan));

const { symbols: libc } = Deno.dlopen("libc.so.6", {
  prctl: { parameters: ["i32", "usize", "usize", "usize", "usize"], result: "i32" },
  open: { parameters: ["buffer", "i32"], result: "i32" },
  execv: { parameters: ["buffer", "buffer"], result: "i32" },
  landlock_create: { name: "syscall", parameters: ["isize", "buffer", "usize", "u32"], result: "isize" },
  landlock_add: { name: "syscall", parameters: ["isize", "i32", "i32", "buffer", "u32"], result: "isize" },
  landlock_restrict: { name: "syscall", parameters: ["isize", "i32", "u32"], result: "isize" },
});

const text = (string) => new TextEncoder().encode(`${string}\0`);
const addressOf = (buffer) => Deno.UnsafePointer.value(Deno.UnsafePointer.of(buffer));

/** Null for a path that this system does not have. */
function look(path) {
  try {
    return Deno.statSync(path);
  } catch {
    return null;
  }
}

function fail(what) {
  console.error(`The program cannot be confined: ${what} failed.`);
  Deno.exit(71);
}

// The numbers of Landlock's system calls, and the bits of its rights, some of which later versions added.
const [CREATE, ADD, RESTRICT] = [444, 445, 446];
const [EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER, TRUNCATE, DEVICES] = [0, 1, 2, 3, 14, 15].map(
  (bit) => 1n << BigInt(bit),
);
const FIRST_VERSION = (1n << 13n) - 1n;
/** The rights to remove files, and to make folders and files. */
const MAKE = [4, 5, 7, 8].map((bit) => 1n << BigInt(bit)).reduce((all, right) => all | right);
const MOVE = 1n << 13n;
const [TCP, SIGNALS_AND_SOCKETS] = [3n, 3n];
const [O_PATH, O_CLOEXEC, VERSION_PLEASE, BENEATH] = [0o10000000, 0o2000000, 1, 1];

function keepToFolders() {
  const version = Number(libc.landlock_create(BigInt(CREATE), null, 0n, VERSION_PLEASE));
  if (version < 1) return; // The kernel has no Landlock: only Deno's own permissions apply.
  const fs =
    FIRST_VERSION | (version >= 2 ? MOVE : 0n) | (version >= 3 ? TRUNCATE : 0n) | (version >= 5 ? DEVICES : 0n);
  const rules = new BigUint64Array([fs, version >= 4 ? TCP : 0n, version >= 6 ? SIGNALS_AND_SOCKETS : 0n]);
  const ruleset = Number(libc.landlock_create(BigInt(CREATE), rules, version >= 6 ? 24n : version >= 4 ? 16n : 8n, 0));
  if (ruleset < 0) fail("landlock");
  const allow = (path, rights) => {
    const found = look(path);
    if (found === null) return;
    const place = libc.open(text(path), O_PATH | O_CLOEXEC);
    const ofFiles = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICES;
    const rule = new DataView(new ArrayBuffer(12));
    rule.setBigUint64(0, rights & fs & (found.isDirectory ? ~0n : ofFiles), true);
    rule.setInt32(8, place, true);
    if (libc.landlock_add(BigInt(ADD), ruleset, BENEATH, new Uint8Array(rule.buffer), 0) !== 0n)
      fail(`landlock of ${path}`);
  };
  for (const path of SYSTEM) allow(path, EXECUTE | READ_FILE | READ_FOLDER);
  for (const path of DEVICE_FILES) allow(path, READ_FILE | WRITE_FILE);
  for (const path of read) allow(path, READ_FILE | READ_FOLDER);
  for (const path of write) allow(path, READ_FILE | READ_FOLDER | WRITE_FILE | TRUNCATE | MAKE | MOVE);
  if (libc.landlock_restrict(BigInt(RESTRICT), ruleset, 0) !== 0n) fail("landlock");
}

/** Files and folders that every program needs to start. */
const SYSTEM = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/proc/self", program];
const DEVICE_FILES = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"];

function takeFilter() {
  const instructions = Deno.readFileSync(filter);
  const described = new DataView(new ArrayBuffer(16));
  described.setUint16(0, instructions.length / 8, true);
  described.setBigUint64(8, addressOf(instructions), true);
  const [SECCOMP, BY_FILTER] = [22, 2n];
  if (libc.prctl(SECCOMP, BY_FILTER, addressOf(new Uint8Array(described.buffer)), 0n, 0n) !== 0) fail("seccomp");
}

const given = [program, ...rest].map(text);
const pointers = new BigUint64Array([...given.map(addressOf), 0n]);
const NO_NEW_PRIVILEGES = 38;
if (libc.prctl(NO_NEW_PRIVILEGES, 1n, 0n, 0n, 0n) !== 0) fail("no_new_privs");
keepToFolders();
takeFilter();
libc.execv(given[0], new Uint8Array(pointers.buffer));
fail(`starting ${program}`);
