/** Calls the kernel by number: a C library may not have a function for it. */
export const SYSCALL = `
import ctypes, os, platform
_libc = ctypes.CDLL(None, use_errno=True)
def syscall(x64, arm64, *args):
    number = x64 if platform.machine() == "x86_64" else arm64
    result = _libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
`;
