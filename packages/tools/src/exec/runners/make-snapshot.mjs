// Starts pyodide once and writes the memory of the interpreter to standard output. Argument: the folder of pyodide.
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${folder}/`, _makeSnapshot: true, stdout: () => {}, stderr: () => {} });
// These are the modules that most programs import. They are loaded here, so that not every run has to load them.
python.runPython(
  "import base64, collections, csv, datetime, io, json, linecache, math, os, pathlib, re, struct, sys, time, traceback, types, zlib",
);
const memory = python.makeMemorySnapshot();
for (let at = 0; at < memory.length; ) at += Deno.stdout.writeSync(memory.subarray(at));
Deno.exit(0);
