// Runs a Python program in pyodide, in Deno. Arguments: the stage and the folder of pyodide. Standard input contains
// the memory of a started interpreter, so that this one does not have to start. Only Deno's permissions confine the
// program: Python can call JavaScript, which may use nothing but the stage.
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const [stage, folder] = process.argv.slice(2);
const snapshot = new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${folder}/`, _loadSnapshot: snapshot });

const writeAll = (stream) => ({
  write: (bytes) => {
    for (let at = 0; at < bytes.length; ) at += stream.writeSync(bytes.subarray(at));
    return bytes.length;
  },
});
python.setStdout(writeAll(Deno.stdout));
python.setStderr(writeAll(Deno.stderr));
python.setStdin({ stdin: () => null });

// Errors of Deno's permissions have no errno, and pyodide ends itself at an error without one.
const { NODEFS } = python.FS.filesystems;
const tryOperation = NODEFS.tryFSOperation;
NODEFS.tryFSOperation = (operation) =>
  tryOperation(() => {
    try {
      return operation();
    } catch (error) {
      if (error?.name === "NotCapable" || !error?.code)
        throw Object.assign(new Error(error.message), { code: "EACCES" });
      throw error;
    }
  });
python.FS.mkdirTree("/cairn");
python.FS.mount(NODEFS, { root: stage }, "/cairn");

const runner = python.FS.readFile("/cairn/run/run.py", { encoding: "utf8" });
const names = python.toPy({ __name__: "cairn_run" });
python.runPython("import sys; sys.argv = ['run.py', '/cairn']");
python.runPython(runner, { globals: names, filename: "run.py" });
const status = python.runPython("finish(run())", { globals: names });
Deno.exit(typeof status === "number" ? status & 255 : 1);
