/** Tests control groups where version 2 is mounted and the test may make a group; limits need controllers. */
import { accessSync, constants, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ControlGroup, delegatedGroup, groupSettings } from "./control-group.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { sealedStdio } from "./sealed-stdio.ts";
import { supervise } from "./supervise.ts";

/** Where version 2 is mounted: alone, or beside version 1. */
const mount = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].find((folder) => {
  try {
    accessSync(join(folder, "cgroup.procs"), constants.W_OK);
    accessSync(join(folder, "cgroup.subtree_control"), constants.W_OK);
    return true;
  } catch {
    return false;
  }
});

/** Whether the kernel of this machine limits the memory and processes of groups. */
function canLimit(): boolean {
  const offered = readFileSync(join(mount ?? "", "cgroup.controllers"), "utf8").split(/\s+/);
  if (!offered.includes("memory") || !offered.includes("pids")) return false;
  writeFileSync(join(mount ?? "", "cgroup.subtree_control"), "+memory +pids");
  return true;
}

describe.skipIf(mount === undefined)("a program in a control group", () => {
  const run = (script: string, group: ControlGroup) => {
    const command = { command: "/bin/sh", args: ["-c", script], stdio: sealedStdio(), env: { PATH: "/usr/bin:/bin" } };
    const rest = { owner: null, limits: DEFAULT_LIMITS, writable: [], group };
    return supervise({ ...command, ...rest }, { signal: new AbortController().signal });
  };

  it("is in it before it starts", async () => {
    await using group = await ControlGroup.make(mount ?? "", {});
    expect((await run("cat /proc/self/cgroup", group)).log).toContain(`/${group.name}\n`);
  });

  it("is limited in memory and processes by the kernel; without the controllers no group counts as delegated", async () => {
    if (!canLimit()) return expect(delegatedGroup(mount)).toBeNull();
    const limits = { ...DEFAULT_LIMITS, memoryBytes: 50_000_000, processes: 4 };
    await using small = await ControlGroup.make(mount ?? "", groupSettings(limits));
    await run("head -c 100000000 /dev/zero | tail -c 100000000 | wc -c", small);
    expect(await small.isOutOfMemory()).toBe(true);
    await using few = await ControlGroup.make(mount ?? "", groupSettings(limits));
    const { log } = await run("for n in $(seq 50); do sleep 60 & done; echo all of them", few);
    expect(log).not.toContain("all of them");
  });

  it("leaves nothing running, even processes that left their parent", async () => {
    const group = await ControlGroup.make(mount ?? "", {});
    const { log } = await run("setsid sleep 1000 >/dev/null 2>&1 & echo $!", group);
    await group[Symbol.asyncDispose]();
    // The process has ended, although the system's first process may not have collected it yet.
    expect(await readFile(`/proc/${log.trim()}/stat`, "utf8").catch(() => ") Z")).toContain(") Z");
  });
});

describe("the delegated group", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "cairn-groups-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function lay(own: string, controllers: string): Promise<string | null> {
    const parent = join(folder, own, "..");
    await mkdir(parent, { recursive: true });
    await writeFile(join(folder, "membership"), `1:name=systemd:/x.service\n0::${own}\n`);
    for (const [file, text] of Object.entries({ controllers, procs: "", subtree_control: "" }))
      await writeFile(join(parent, `cgroup.${file}`), text);
    return delegatedGroup(folder, join(folder, "membership"));
  }

  it.runIf(process.platform === "linux")("is the service around the server's own group", async () => {
    expect(await lay("/system.slice/cairn.service/server", "cpu memory pids\n")).toBe(
      join(folder, "system.slice/cairn.service"),
    );
    expect(await readFile(join(folder, "system.slice/cairn.service/cgroup.subtree_control"), "utf8")).toBe(
      "+memory +pids",
    );
  });

  it.each([
    ["of a service that was not delegated", "/system.slice/cairn.service", "memory pids"],
    ["of a session", "/user.slice/user-0.slice/session-1.scope", "memory pids"],
    ["of a machine that has no others", "/", "memory pids"],
    ["without the controllers", "/system.slice/cairn.service/server", "hugetlb"],
  ])("does not exist in the group %s", async (_, own, controllers) => {
    expect(await lay(own, controllers)).toBeNull();
  });

  it("gets the limits of the program", () => {
    expect(groupSettings({ ...DEFAULT_LIMITS, memoryBytes: 5_000_000, processes: 8 })).toEqual({
      "memory.max": "5000000",
      "memory.oom.group": "1",
      "pids.max": "12",
    });
  });
});
