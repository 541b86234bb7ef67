/** Every command by its name, in the order they are listed. */
import { chat } from "./chat/chat.ts";
import type { Command } from "./command/command.ts";
import { doctor } from "./doctor/doctor.ts";
import { list } from "./inspect/list.ts";
import { read } from "./inspect/read.ts";
import { render } from "./inspect/render.ts";
import { show } from "./inspect/show.ts";
import { backup } from "./keep/backup.ts";
import { deleteCommand } from "./keep/delete.ts";
import { exportCommand } from "./keep/export.ts";
import { fork } from "./keep/fork.ts";
import { gc } from "./keep/gc.ts";
import { importCommand } from "./keep/import.ts";
import { migrateStore } from "./keep/migrate-store.ts";
import { orders } from "./keep/orders.ts";
import { quarantine } from "./keep/quarantine.ts";
import { deleteTenant, retention } from "./keep/retention.ts";
import { mcp } from "./mcp/mcp.ts";
import { serve } from "./serve/serve.ts";
import { token } from "./serve/token.ts";
import { worker } from "./serve/worker.ts";

export const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  worker,
  token,
  chat,
  mcp,
  list,
  show,
  render,
  read,
  orders,
  export: exportCommand,
  import: importCommand,
  fork,
  delete: deleteCommand,
  quarantine,
  retention,
  "delete-tenant": deleteTenant,
  backup,
  "migrate-store": migrateStore,
  gc,
  doctor,
};
