/**
 * Secrets of users, encrypted with one key: `CAIRN_SECRET_KEY`, or a key in the data folder that is made on first use.
 *
 * A value is bound to its user and its name, so that a row copied to another user cannot be decrypted.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { constants, copyFile, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ConversationStore, type Scope, scopeKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import type { Settings } from "../settings/settings.ts";

export type SecretStore = Pick<ConversationStore, "readSecret" | "writeSecret" | "updateSecret">;
type KeySettings = Pick<Settings, "dataDir" | "database" | "secretKey">;

const FILE = "secret.key";
const VERSION = 1;
/** Errors of file systems without hard links. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PROCESS_KEY = randomBytes(KEY_BYTES);

export class SecretBox {
  readonly #settings: KeySettings;
  readonly #store: SecretStore;
  #key: Promise<Buffer> | null = null;

  constructor(settings: KeySettings, store: SecretStore) {
    this.#settings = settings;
    this.#store = store;
  }

  async read(owner: Scope, name: string): Promise<string | null> {
    const sealed = await this.#store.readSecret(owner, name);
    return sealed === null ? null : open(await this.#theKey(), sealed, bindingOf(owner, name));
  }

  async write(owner: Scope, name: string, value: string): Promise<void> {
    await this.#store.writeSecret(owner, name, seal(await this.#theKey(), value, bindingOf(owner, name)));
  }

  async update(owner: Scope, name: string, change: (value: string) => string): Promise<void> {
    const [key, binding] = [await this.#theKey(), bindingOf(owner, name)];
    await this.#store.updateSecret(owner, name, (sealed) => seal(key, change(open(key, sealed, binding)), binding));
  }

  /** Deletes a value, even if it cannot be decrypted. */
  async delete(owner: Scope, name: string): Promise<boolean> {
    return await this.#store.updateSecret(owner, name, () => null);
  }

  /**
   * A key for the signatures of one purpose. Without a configured key, each process of a shared database has its own
   * key, so a signature is valid only in the process that made it.
   */
  async signingKey(purpose: string): Promise<Uint8Array> {
    const { database, secretKey } = this.#settings;
    const isOwn = database !== null && secretKey === null;
    return new Uint8Array(hkdfSync("sha256", isOwn ? PROCESS_KEY : await this.#theKey(), "", purpose, KEY_BYTES));
  }

  #theKey(): Promise<Buffer> {
    this.#key ??= findKey(this.#settings);
    // A failed attempt is not cached, because the setting or the folder may be corrected before the next one.
    this.#key.catch(() => {
      this.#key = null;
    });
    return this.#key;
  }
}

function bindingOf({ tenant, project, user }: Scope, name: string): Buffer {
  return Buffer.from(`${scopeKey({ tenant, project, user })}\n${name}`, "utf8");
}

/** An encrypted value: the version, the nonce, the ciphertext and the authentication tag. */
function seal(key: Buffer, value: string, binding: Buffer): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(binding);
  return Buffer.concat([
    Buffer.from([VERSION]),
    nonce,
    cipher.update(value, "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

function open(key: Buffer, sealed: Uint8Array, binding: Buffer): string {
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const tag = sealed.subarray(-TAG_BYTES);
  try {
    if (sealed[0] !== VERSION) throw new Error("unknown version");
    const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(binding).setAuthTag(tag);
    const text = decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    // If decryption fails, the cipher does not say whether the key, the user or a byte is wrong.
    throw new CairnError(
      "secret_unreadable",
      "A stored secret was encrypted with another key. Set CAIRN_SECRET_KEY to the key it was made with, or log in again.",
    );
  }
}

async function findKey({ secretKey, database, dataDir }: KeySettings): Promise<Buffer> {
  if (secretKey !== null) return Buffer.from(hkdfSync("sha256", secretKey, "", "cairn secrets", KEY_BYTES));
  if (database !== null)
    throw new CairnError(
      "bad_setting",
      "Secrets in a shared database need CAIRN_SECRET_KEY, the same on every machine. Make one with: openssl rand -base64 32",
    );
  const file = join(dataDir, FILE);
  const text = (await readText(file)) ?? (await makeKeyFile(dataDir, file));
  if (!isKey(text))
    throw new CairnError(
      "bad_secret_key",
      `${file} does not contain a key of ${KEY_BYTES} bytes in base64. Restore it from a copy. Without a copy, delete it; users then log in again.`,
    );
  return createHash("sha256").update(text).digest();
}

/**
 * The file appears complete or not at all: a process that is killed, or a full disk, must not leave an empty key. If
 * another process makes the file first, its key is returned. On a file system without hard links, the file is copied,
 * and an incomplete key is rejected when it is read.
 */
async function makeKeyFile(dataDir: string, file: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    const key = randomBytes(KEY_BYTES).toString("base64");
    await writeFile(draft, `${key}\n`, { mode: 0o600, flag: "wx", flush: true });
    await link(draft, file)
      .catch((error: unknown) => {
        if (!NO_LINKS.some((code) => hasCode(error, code))) throw error;
        return copyFile(draft, file, constants.COPYFILE_EXCL);
      })
      .catch((error: unknown) => {
        if (!hasCode(error, "EEXIST")) throw error;
      });
  } finally {
    await rm(draft, { force: true });
  }
  return (await readText(file)) ?? "";
}

async function readText(file: string): Promise<string | null> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

function isKey(text: string): boolean {
  const bytes = Buffer.from(text, "base64");
  return bytes.length === KEY_BYTES && bytes.toString("base64") === text;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
