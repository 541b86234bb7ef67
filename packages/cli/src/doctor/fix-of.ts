/** How to fix each kind of defect of the store. */
import { join } from "node:path";
import type { Defect } from "@cairn/store";

export function fixOf(code: Defect["code"], dataDir: string): string {
  switch (code) {
    case "index_missing":
    case "index_mismatch":
    case "snapshot_mismatch":
    case "reference_missing":
      return "Nothing is lost. Run cairn doctor --repair, which rebuilds the damaged data from the journal.";
    case "newer_version":
      return "A newer version of Cairn wrote this data. Upgrade Cairn to that version.";
    case "blob_missing":
    case "blob_corrupt":
      return `Copy the file with that hash from a backup's blobs/ folder into ${join(dataDir, "blobs")}. Without a backup, attach the file again.`;
    case "database_corrupt":
    case "seq_gap":
    case "event_corrupt":
    case "fold_error":
      return `Keep a copy of ${join(dataDir, "cairn.db")}. Then use a backup (CAIRN_DATA_DIR=<its folder>), or export the conversations that can still be read and import them into a new folder.`;
  }
}
