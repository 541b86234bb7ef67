/**
 * Programs of the operating system that some tests use, installed together before they start: two test workers that
 * each install what they miss would wait for one another's lock. On anything but Debian as root, one line says what is
 * missing and which tests are skipped without it.
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
  {
    command: "chromium-headless-shell",
    debian: "chromium-headless-shell",
    wantedBy: "the web app and documents from HTML",
  },
  { command: "soffice", debian: "libreoffice-nogui", wantedBy: "documents opened by LibreOffice" },
  { command: "bwrap", debian: "bubblewrap", wantedBy: "the sandbox for programs" },
  { command: "python3", debian: "python3", wantedBy: "the sandbox for programs" },
  { command: "tmux", debian: "tmux", wantedBy: "the chat in a terminal" },
  { command: "nginx", debian: "nginx-light", wantedBy: "the documented proxy" },
  { command: "radosgw", debian: "radosgw", wantedBy: "blobs in S3" },
  { command: "ceph-mon", debian: "ceph-mon", wantedBy: "blobs in S3" },
  { command: "ceph-osd", debian: "ceph-osd", wantedBy: "blobs in S3" },
];

const INSTALL_MS = 900_000;

/**
 * Installs missing packages where permitted. Returns the lines to print at the end of the run, for readers who look
 * only there.
 */
export function installSystemPackages(): readonly string[] {
  const missing = PACKAGES.filter(isMissing);
  if (missing.length === 0) return [];
  if (!existsSync("/etc/debian_version") || process.getuid?.() !== 0) {
    console.log(describeMissing(missing, "only root on Debian can install them"));
    return [describeMissing(missing, "only root on Debian can install them")];
  }
  console.log(`Installing for the tests: ${namesOf(missing)}.`);
  apt(["update"]);
  apt(["install", "-y", "--no-install-recommends", ...missing.map(({ debian }) => debian)]);
  const still = missing.filter(isMissing);
  const installed = missing.filter((each) => !still.includes(each));
  const lines = installed.length === 0 ? [] : [`Installed for the tests: ${namesOf(installed)}.`];
  return still.length === 0 ? lines : [...lines, describeMissing(still, "apt-get could not install them")];
}

function isMissing({ command }: SystemPackage): boolean {
  return findOnPath(command) === null;
}

function namesOf(packages: readonly SystemPackage[]): string {
  return packages.map(({ debian }) => debian).join(", ");
}

function describeMissing(packages: readonly SystemPackage[], why: string): string {
  const wanted = [...new Set(packages.map(({ wantedBy }) => wantedBy))].join("; ");
  return `Not installed: ${namesOf(packages)} (${why}). Skipped without them: ${wanted}.`;
}

/** If the installation fails, the packages are still missing and are reported. */
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
