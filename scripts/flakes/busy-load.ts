/** Processes that each keep a core busy until they are asked to end or their parent has ended. */
import { spawn } from "node:child_process";

/** The parent's process id is passed, because the parent may end before the process has started. */
const BUSY = "while (process.ppid === Number(process.argv[1])) for (let n = 0; n < 1e7; n++);";

export class BusyLoad implements Disposable {
  readonly #children;

  constructor(processes: number) {
    this.#children = Array.from({ length: processes }, () =>
      spawn(process.execPath, ["-e", BUSY, String(process.pid)], { stdio: "ignore" }).on("error", (error) => {
        console.error(`A process of the load could not be started: ${error.message}`);
      }),
    );
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill("SIGKILL");
  }
}
