/**
 * A registry on this machine for packages that are not published: npm gets them from here, and every other package from
 * the registry that the machine uses.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";

interface Packed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: Buffer;
}

export class LocalRegistry implements AsyncDisposable {
  readonly #server: Server;
  /** Number of requests for the packages of this registry. */
  served = 0;

  private constructor(packages: ReadonlyMap<string, Packed>, upstream: string) {
    this.#server = createServer((request, response) => {
      const [, name = "", file] = /^\/([^/]+)(?:\/-\/(.+))?$/.exec(decodeURIComponent(request.url ?? "")) ?? [];
      const packed = packages.get(name);
      if (packed === undefined) {
        response.writeHead(302, { location: new URL(request.url ?? "/", upstream).href }).end();
        return;
      }
      this.served += 1;
      if (file === undefined) response.setHeader("content-type", "application/json").end(this.#describe(packed));
      else response.end(packed.tarball);
    });
  }

  /** Packs each of the folders, as `npm publish` would. */
  static async start(folders: readonly string[], scratch: string): Promise<LocalRegistry> {
    const packages = new Map(folders.map((folder) => [basename(folder), pack(folder, scratch)]));
    const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
    const registry = new LocalRegistry(packages, upstream);
    await new Promise<void>((resolve, reject) => {
      registry.#server.once("error", reject);
      registry.#server.listen(0, "127.0.0.1", resolve);
    });
    return registry;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #describe({ manifest, tarball }: Packed): string {
    const { name, version } = manifest;
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const dist = { integrity, tarball: `${this.address}/${name}/-/${name}-${version}.tgz` };
    return JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function pack(folder: string, scratch: string): Packed {
  const args = ["pack", "--silent", "--pack-destination", scratch, folder];
  const file = execFileSync("npm", args, { encoding: "utf8" }).trim();
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { manifest, tarball: readFileSync(join(scratch, file)) };
}
