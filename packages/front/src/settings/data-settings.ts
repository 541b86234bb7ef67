/** Settings for the places where a process stores its data. */
import { absolute, badSetting, convertedText, type ValuesOf } from "./setting.ts";

/** Settings of the data. Their paths are absolute; null means a place in the data folder. */
export const DATA = {
  dataDir: convertedText(
    {
      variable: "CAIRN_DATA_DIR",
      byDefault: "./.cairn",
      about: "The folder for all data: database, blobs and workspaces.",
    },
    (path, source) => absolute(path ?? ".cairn", source),
  ),
  database: convertedText(
    {
      variable: "CAIRN_DATABASE_URL",
      byDefault: "SQLite in the data folder",
      about: "`postgres://user:password@host:5432/database`, for conversations that several machines share.",
    },
    checkDatabase,
  ),
  blobs: convertedText(
    {
      variable: "CAIRN_BLOBS_URL",
      byDefault: "a folder in the data folder",
      about:
        "Where blobs are stored when a database is set: `s3://bucket/prefix?endpoint=…&region=…` (the AWS SDK finds the keys), or a folder that all machines share.",
    },
    (place, source) => (place === null || place.startsWith("s3:") ? place : absolute(place, source)),
  ),
  secretKey: convertedText(
    {
      variable: "CAIRN_SECRET_KEY",
      byDefault: "`secret.key` in the data folder, made on first use",
      about:
        "The key that encrypts users' secrets, such as tokens for MCP servers: at least 32 characters, for example from `openssl rand -base64 32`. It also signs the states of calls at `/mcp` that wait for a person. Required for secrets when a database is set; it must be the same on every machine.",
    },
    checkKey,
  ),
};

const MIN_KEY_LENGTH = 32;

function checkKey(key: string | null): string | null {
  if (key === null || key.length >= MIN_KEY_LENGTH) return key;
  throw badSetting("CAIRN_SECRET_KEY", `must have at least ${MIN_KEY_LENGTH} characters`);
}

function checkDatabase(address: string | null): string | null {
  if (address === null || /^postgres(ql)?:\/\/./.test(address)) return address;
  throw badSetting("CAIRN_DATABASE_URL", "must begin with postgres://");
}

/** Blobs are kept apart from the data folder only for a database that several machines share. */
export function checkStore({ database, blobs }: ValuesOf<typeof DATA>): void {
  if (database === null && blobs !== null)
    throw badSetting("CAIRN_BLOBS_URL", "needs CAIRN_DATABASE_URL; set both or neither");
}
