/** The model that `/model` chose. A file of the data folder keeps it for later chats in a terminal. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "@cairn/timeline";

const FILE = "chat-model";

/** The chosen model; null for the agent's own, and if the settings no longer have the chosen one. */
export async function readChosenModel(dataDir: string, models: readonly string[]): Promise<string | null> {
  try {
    const name = (await readFile(join(dataDir, FILE), "utf8")).trim();
    return models.includes(name) ? name : null;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

export async function keepChosenModel(dataDir: string, model: string | null): Promise<void> {
  const file = join(dataDir, FILE);
  if (model === null) await rm(file, { force: true });
  else await writeFile(file, `${model}\n`);
}
