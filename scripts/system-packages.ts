/**
 * Programs of the operating system that some tests use, installed together before they start: two test workers that
 * each install what they miss would wait for one another's lock. On anything but Debian as root, one line says what is
 * missing; the tests that want it are skipped and say so themselves.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findOnPath } from "@cairn/testkit/system-package";

interface SystemPackage {
  readonly command: string;
  readonly debian: string;
  readonly wantedBy: string;
}

const PACKAGES: readonly SystemPackage[] = [
  { command: "strace", debian: "strace", wantedBy: "the durability of the store" },
  { command: "chromium", debian: "chromium", wantedBy: "the web app" },
  { command: "chromium-headless-shell", debian: "chromium-headless-shell", wantedBy: "documents from HTML" },
  { command: "soffice", debian: "libreoffice-nogui", wantedBy: "documents opened by LibreOffice" },
  { command: "bwrap", debian: "bubblewrap", wantedBy: "the sandbox for programs" },
  { command: "python3", debian: "python3", wantedBy: "the sandbox for programs" },
  { command: "nginx", debian: "nginx-light", wantedBy: "the documented proxy" },
  { command: "radosgw", debian: "radosgw", wantedBy: "blobs in S3" },
  { command: "ceph-mon", debian: "ceph-mon", wantedBy: "blobs in S3" },
  { command: "ceph-osd", debian: "ceph-osd", wantedBy: "blobs in S3" },
];

const INSTALL_MS = 900_000;

export function installSystemPackages(): void {
  const missing = PACKAGES.filter(({ command }) => findOnPath(command) === null);
  if (missing.length === 0) return;
  const names = missing.map(({ debian }) => debian);
  if (!existsSync("/etc/debian_version") || process.getuid?.() !== 0) {
    const wanted = [...new Set(missing.map(({ wantedBy }) => wantedBy))];
    console.log(`Not installed: ${names.join(", ")}. Without them these tests do not run: ${wanted.join("; ")}.`);
    return;
  }
  console.log(`Installing ${names.join(", ")}.`);
  apt(["update"]);
  apt(["install", "-y", "--no-install-recommends", ...names]);
}

/** A failure shows later, in the tests that miss what was not installed. */
function apt(args: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = ["-q", "-o", "DPkg::Lock::Timeout=300", ...args];
  const { status } = spawnSync("apt-get", options, {
    env,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: INSTALL_MS,
  });
  if (status !== 0) console.log(`apt-get ${args[0]} ended with ${status}.`);
}
