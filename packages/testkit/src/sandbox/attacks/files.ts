/** Ways to read or write files outside the program's folders. */
import type { Attack } from "./attack.ts";

const text = JSON.stringify;

const READ_OUTSIDE: Attack["code"] = ({ secretFile, secret }) => `
import * as fs from "node:fs";
import { execFileSync } from "node:child_process";
const path = ${text(secretFile)};
const own = fs.mkdtempSync(OUTPUT_DIR + "/turn_0/files/ways-");
const ways = {
  readFileSync: () => fs.readFileSync(path, "utf8"),
  readFile: () => fs.promises.readFile(path, "utf8"),
  open: () => { const fd = fs.openSync(path); const b = Buffer.alloc(100); return b.toString("utf8", 0, fs.readSync(fd, b)); },
  stream: async () => { let all = ""; for await (const piece of fs.createReadStream(path, "utf8")) all += piece; return all; },
  blob: async () => (await fs.openAsBlob(path)).text(),
  copyFile: () => { const to = own + "/copy"; fs.copyFileSync(path, to); return fs.readFileSync(to, "utf8"); },
  cp: () => { const to = own + "/copy2"; fs.cpSync(path, to); return fs.readFileSync(to, "utf8"); },
  rename: () => { const to = own + "/moved"; fs.renameSync(path, to); const t = fs.readFileSync(to, "utf8"); fs.copyFileSync(to, path); return t; },
  symlink: () => { const to = own + "/link"; fs.symlinkSync(path, to); return fs.readFileSync(to, "utf8"); },
  link: () => { const to = own + "/hard"; fs.linkSync(path, to); return fs.readFileSync(to, "utf8"); },
  child: () => execFileSync("cat", [path], { encoding: "utf8" }),
  fetch: async () => (await fetch("file://" + path)).text(),
  above: () => fs.readFileSync(OUTPUT_DIR + "/" + "../".repeat(30) + path.slice(1), "utf8"),
  procRoot: () => fs.readFileSync("/proc/self/root" + path, "utf8"),
  deno: () => globalThis.Deno.readTextFileSync(path),
  denoOpen: async () => new Response((await globalThis.Deno.open(path)).readable).text(),
  denoCommand: async () => new TextDecoder().decode((await new globalThis.Deno.Command("cat", { args: [path] }).output()).stdout),
};
const attack = async () => {
  const won = [];
  let last;
  for (const [name, way] of Object.entries(ways))
    try { if (String(await way()).includes(${text(secret)})) won.push(name); } catch (error) { last = error; }
  if (won.length === 0) throw last;
  return won.join(" ");
};`;

const WRITE_OUTSIDE: Attack["code"] = ({ outside }) => `
import * as fs from "node:fs";
import { execFileSync } from "node:child_process";
import { writeHeapSnapshot } from "node:v8";
const to = (name) => ${text(`${outside}/`)} + name;
const own = fs.mkdtempSync(OUTPUT_DIR + "/turn_0/files/ways-") + "/own";
const ways = {
  writeFile: () => fs.writeFileSync(to("a"), "x"),
  append: () => fs.appendFileSync(to("b"), "x"),
  open: () => fs.closeSync(fs.openSync(to("c"), "w")),
  mkdir: () => fs.mkdirSync(to("d")),
  mkdtemp: () => fs.mkdtempSync(to("e")),
  copy: () => { fs.writeFileSync(own, "x"); fs.copyFileSync(own, to("f")); },
  rename: () => { fs.writeFileSync(own, "x"); fs.renameSync(own, to("g")); },
  link: () => { fs.writeFileSync(own, "x"); fs.linkSync(own, to("h")); },
  symlink: () => fs.symlinkSync("/etc", to("i")),
  through: () => { fs.symlinkSync(to(""), own + ".link"); fs.writeFileSync(own + ".link/j", "x"); },
  child: () => execFileSync("touch", [to("k")]),
  report: () => { const path = process.report.writeReport(to("l")); if (!fs.existsSync(path)) throw new Error("none"); },
  heap: () => writeHeapSnapshot(to("m")),
  deno: () => globalThis.Deno.writeTextFileSync(to("n"), "x"),
  denoTemp: () => globalThis.Deno.makeTempFileSync({ dir: to("") }),
  chmod: () => fs.chmodSync(to(""), 0o700),
  utimes: () => fs.utimesSync(to(""), 1, 1),
  sqlite: async () => { const { DatabaseSync } = await import("node:sqlite"); new DatabaseSync(to("o")).exec("CREATE TABLE t(a)"); },
};
const attack = async () => {
  const won = [];
  let last;
  for (const [name, way] of Object.entries(ways)) try { await way(); won.push(name); } catch (error) { last = error; }
  if (won.length === 0) throw last;
  return won.join(" ");
};`;

export const FILES: readonly Attack[] = [
  {
    name: "read outside",
    language: "python",
    control: "python",
    code: ({ secretFile, secret }) => `
def attack():
    return open(${text(secretFile)}).read() == ${text(secret)}`,
  },
  {
    name: "read outside, by another program",
    language: "python",
    control: "python",
    code: ({ secretFile, secret }) => `
import subprocess
def attack():
    return ${text(secret)} in subprocess.run(["cat", ${text(secretFile)}], capture_output=True, text=True, check=True).stdout`,
  },
  {
    name: "read outside, by the C library",
    language: "python",
    control: "python",
    code: ({ secretFile, secret }) => `
import ctypes
def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.open(${text(secretFile)}.encode(), 0)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "open")
    buffer = ctypes.create_string_buffer(100)
    libc.read(fd, buffer, 99)
    return buffer.value.decode() == ${text(secret)}`,
  },
  {
    name: "read outside, from above the root",
    language: "python",
    control: "python",
    code: ({ secretFile, secret }) => `
import os
def attack():
    for start in (OUTPUT_DIR + "/" + "../" * 30, "/proc/1/root/", "/proc/self/root/", "/proc/1/cwd/"):
        try:
            if open(start + ${text(secretFile)}.lstrip("/")).read() == ${text(secret)}:
                return start
        except OSError as error:
            last = error
    raise last`,
  },
  {
    name: "symlink to outside",
    language: "python",
    control: "python",
    code: ({ secretFile, secret }) => `
import os
def attack():
    link = os.path.join(OUTPUT_DIR, "turn_0/files/link")
    os.symlink(${text(secretFile)}, link)
    return open(link).read() == ${text(secret)}`,
  },
  {
    name: "hard link to outside",
    language: "python",
    control: "python",
    code: ({ outside }) => `
import os
def attack():
    here = os.path.join(OUTPUT_DIR, "turn_0/files/here")
    open(here, "w").write("x")
    os.link(here, ${text(`${outside}/linked`)})
    return True`,
  },
  {
    name: "hard link to an input",
    language: "python",
    control: "python",
    code: () => `
import os
def attack():
    own = os.path.join(OUTPUT_DIR, "turn_0/files/own")
    os.link(os.path.join(OUTPUT_DIR, "timeline.json"), own)
    open(own, "w").write("{}")
    return open(os.path.join(OUTPUT_DIR, "timeline.json")).read() == "{}"`,
  },
  {
    name: "write outside",
    language: "python",
    control: "python",
    code: ({ outside }) => `
def attack():
    open(${text(`${outside}/python`)}, "w").write("x")
    return True`,
  },
  {
    name: "overwriting inputs",
    language: "python",
    control: "python",
    code: () => `
import os
def attack():
    done = []
    for path in ("timeline.json", "turn_input/files/input.txt", "../run/run.py", "../answers/1.json"):
        for way in (lambda p: open(p, "w").write("{}"), lambda p: open(p, "r+").write("{}"), os.remove, lambda p: os.rename(p, p + ".moved"), lambda p: os.chmod(p, 0o777)):
            try:
                way(os.path.join(OUTPUT_DIR, path))
                done.append(path)
            except OSError as error:
                last = error
    if not done:
        raise last
    return done`,
  },
  {
    name: "/proc: what other processes were started with",
    language: "python",
    control: "python",
    code: ({ secret, victimPid }) => `
def attack():
    return ${text(secret)}.encode() in open("/proc/${victimPid}/cmdline", "rb").read()`,
  },
  {
    name: "/proc: settings of the kernel",
    language: "python",
    control: "python",
    controlNeedsRoot: true,
    code: () => `
def attack():
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/sys/kernel/uevent_helper"):
        try:
            open(path, "r+").close()
            return path
        except OSError as error:
            last = error
    raise last`,
  },
  {
    name: "/proc: not to be ended when memory runs out",
    language: "python",
    control: "python",
    code: () => `
def attack():
    with open("/proc/self/oom_score_adj", "r+") as file:
        file.write("0")
    return open("/proc/self/oom_score_adj").read().strip() == "0"`,
  },
  {
    name: "environment secrets",
    language: "python",
    control: "python",
    code: ({ secret }) => `
import os
def attack():
    return any(${text(secret)} in value for value in os.environ.values())`,
  },
  {
    name: "device files",
    language: "python",
    control: "python",
    controlNeedsRoot: true,
    code: () => `
import os, stat
def attack():
    made = os.path.join(OUTPUT_DIR, "turn_0/files/device")
    os.mknod(made, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    open(made, "w").write("x")
    return True`,
  },
  {
    name: "device files of the machine",
    language: "python",
    control: "python",
    controlNeedsRoot: true,
    code: () => `
import glob
def attack():
    for path in ["/dev/kmsg", "/dev/mem", "/dev/kvm", "/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/fuse", "/dev/loop-control", "/dev/net/tun"]:
        try:
            open(path, "rb").close()
            return path
        except OSError as error:
            last = error
    raise last`,
  },
  {
    name: "read outside, in every way there is",
    language: "js",
    control: "node",
    ways: "readFileSync readFile open stream blob copyFile cp rename symlink link child above procRoot".split(" "),
    code: READ_OUTSIDE,
  },
  {
    name: "read outside, in every way Deno has",
    language: "js",
    control: "deno",
    ways: "readFileSync readFile open stream blob copyFile cp rename symlink link child fetch above procRoot deno denoOpen denoCommand".split(
      " ",
    ),
    code: READ_OUTSIDE,
  },
  {
    name: "write outside, in every way there is",
    language: "js",
    control: "node",
    ways: "writeFile append open mkdir mkdtemp copy rename link symlink through child report heap chmod utimes sqlite".split(
      " ",
    ),
    code: WRITE_OUTSIDE,
  },
  {
    name: "write outside, in every way Deno has",
    language: "js",
    control: "deno",
    ways: "writeFile append open mkdir mkdtemp copy rename link symlink through child heap deno denoTemp chmod utimes sqlite".split(
      " ",
    ),
    code: WRITE_OUTSIDE,
  },
  {
    name: "overwriting inputs",
    language: "js",
    control: "node",
    code: () => `
import * as fs from "node:fs";
const attack = async () => {
  const won = [];
  let last;
  for (const path of ["timeline.json", "turn_input/files/input.txt", "../run/run.mjs", "../answers/1.json"])
    for (const way of [(p) => fs.writeFileSync(p, "{}"), (p) => fs.appendFileSync(p, " "), fs.rmSync, (p) => fs.renameSync(p, p + ".moved"), (p) => fs.chmodSync(p, 0o777), (p) => fs.truncateSync(p)])
      try { way(OUTPUT_DIR + "/" + path); won.push(path); } catch (error) { last = error; }
  if (won.length === 0) throw last;
  return won.join(" ");
};`,
  },
  {
    name: "/proc: what other processes were started with",
    language: "js",
    control: "node",
    code: ({ secret, victimPid }) => `
import { readFileSync } from "node:fs";
const attack = async () => readFileSync("/proc/${victimPid}/cmdline", "utf8").includes(${text(secret)});`,
  },
  {
    name: "environment secrets",
    language: "js",
    control: "node",
    code: ({ secret }) => `
const attack = async () => Object.values(process.env).some((value) => value.includes(${text(secret)}));`,
  },
];
