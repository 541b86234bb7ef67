// Starts pyodide once and writes the memory of the interpreter to standard output. Argument: the folder of pyodide.
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${folder}/`, _makeSnapshot: true, stdout: () => {}, stderr: () => {} });
// What most programs import: loaded now, it need not be loaded in every run.
python.runPython(
  "import base64, collections, csv, datetime, io, json, linecache, math, os, pathlib, re, struct, sys, time, traceback, types, zlib",
);
const memory = python.makeMemorySnapshot();
for (let at = 0; at < memory.length; ) at += Deno.stdout.writeSync(memory.subarray(at));
Deno.exit(0);
