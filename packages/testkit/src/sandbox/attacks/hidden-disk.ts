/** Files that are in no folder and behind no open descriptor, but take disk space. */
import { type Attack, LIMITS_SMALL } from "./attack.ts";
import { SYSCALL } from "./syscall.ts";

const MIB = 1024 * 1024;

const python = {
  language: "python",
  control: "python",
  limits: LIMITS_SMALL,
  expected: ["disk_limit"],
  sandboxes: ["bubblewrap"],
} as const;

/** Twelve files of 2 MiB, with a limit of 16 MiB. The descriptor of each is closed when the next is requested. */
const REMOVED_FILES = `
import array, ctypes, os, socket, time
def removed_files():
    for n in range(12):
        path = OUTPUT_DIR + "/turn_0/files/hidden%d" % n
        file = os.open(path, os.O_CREAT | os.O_RDWR)
        os.remove(path)
        os.write(file, b"x" * ${2 * MIB})
        yield file
        os.close(file)
def send(sender, *files):
    sender.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))])
`;

export const HIDDEN_DISK: readonly Attack[] = [
  {
    ...python,
    name: "files that are removed and mapped",
    code: (_, patience) => `${REMOVED_FILES}
def attack():
    libc = ctypes.CDLL(None)
    held = [libc.mmap(None, ${2 * MIB}, 1, 1, file, 0) for file in removed_files()]
    time.sleep(${patience})
    return len(held)`,
  },
  {
    ...python,
    name: "files that are removed and mapped in part",
    code: (_, patience) => `${REMOVED_FILES}
def attack():
    libc = ctypes.CDLL(None)
    held = [libc.mmap(None, 4096, 1, 2, file, 0) for file in removed_files()]
    time.sleep(${patience})
    return len(held)`,
  },
  {
    ...python,
    name: "files that are removed and in flight",
    code: (_, patience) => `${REMOVED_FILES}
def attack():
    near, far = socket.socketpair()
    for file in removed_files():
        send(near, file)
    time.sleep(${patience})
    return True`,
  },
  {
    ...python,
    name: "files that are removed and in flight, in a socket that is in flight",
    code: (_, patience) => `${REMOVED_FILES}
def attack():
    outer, inner = socket.socketpair(), socket.socketpair()
    for file in removed_files():
        send(inner[0], file)
    send(outer[0], inner[0].fileno(), inner[1].fileno())
    inner[0].close()
    inner[1].close()
    time.sleep(${patience})
    return True`,
  },
  {
    ...python,
    name: "files that are removed and in flight, to nobody who accepts them",
    code: (_, patience) => `${REMOVED_FILES}
def attack():
    server = socket.socket(socket.AF_UNIX)
    server.bind("\\0cairn-%d" % os.getpid())
    server.listen(1)
    near = socket.socket(socket.AF_UNIX)
    near.connect(server.getsockname())
    for file in removed_files():
        send(near, file)
    near.close()
    time.sleep(${patience})
    return True`,
  },
  {
    name: "descriptors of a thread of its own",
    language: "python",
    control: "python",
    sandboxes: ["bubblewrap"],
    code: () => `${SYSCALL}
import threading
def attack():
    # In a process of its own: the thread goes on with other descriptors than all others.
    child = os.fork()
    if child != 0:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    def unshare():
        try:
            syscall(436, 436, 1000, 1000, 2)
            os._exit(7)
        except OSError:
            os._exit(1)
    threading.Thread(target=unshare).start()
    os._exit(2) if threading.Event().wait(60) else os._exit(3)`,
  },
];
