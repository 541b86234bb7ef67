"""Runs one program inside a sandbox: the same file for CPython and for pyodide.

The stage is argv[1]: it has the name of the program in run/name, its code in run/program, and the workspace in out. Each
question of the program to the conversation is a file in ask/, and its answer a file in answers/. If the program fails,
ask/error says why.
"""

import itertools
import json
import linecache
import os
import sys
import time
import traceback
import types

BASE = sys.argv[1]
OUTPUT_DIR = os.path.join(BASE, "out")


def _close_inherited():
    if sys.platform == "linux":
        os.closerange(3, 4096)


_asked = itertools.count(1)
_first = os.getpid()


def fetch_ctx(path):
    """The content at a logical path: fi:, ar:, tc:, su: or so:sources_pool[...].

    A dict with `path`, `mime`, and `text` or `physical_path` (of a file in OUTPUT_DIR). `error` is None, or a dict with
    `code` and `message`. For sources, the content is the list of their rows as in timeline.json.
    """
    own = "" if os.getpid() == _first else "%d-" % os.getpid()
    name = "%s%d.json" % (own, next(_asked))
    asked = os.path.join(BASE, "ask", name)
    with open(asked + ".part", "w", encoding="utf-8") as file:
        json.dump({"path": path}, file)
    os.rename(asked + ".part", asked)
    answer = os.path.join(BASE, "answers", name)
    pause = 0.001
    while not os.path.exists(answer):
        time.sleep(pause)
        pause = min(0.02, pause * 1.5)
    with open(answer, encoding="utf-8") as file:
        return json.load(file)


def _describe(error):
    lines = traceback.format_exception_only(type(error), error)
    return " ".join("".join(lines).split())


def _fail(error):
    trace = error.__traceback__
    trace = trace.tb_next if trace is not None else None
    traceback.print_exception(type(error), error, trace)
    with open(os.path.join(BASE, "ask", "error"), "w", encoding="utf-8", errors="replace") as file:
        file.write(_describe(error)[:2000])


def run():
    # People may watch the output, so each line is written when it is complete, and not when a buffer is full.
    sys.stdout.reconfigure(line_buffering=True)
    with open(os.path.join(BASE, "run", "name"), encoding="utf-8") as file:
        name = file.read()
    place = os.path.join(BASE, "run", "program", name)
    with open(place, encoding="utf-8") as file:
        code = file.read()
    os.environ["OUTPUT_DIR"] = os.environ["OUT_DIR"] = OUTPUT_DIR
    os.chdir(OUTPUT_DIR)
    sys.argv = [name]
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    tools = types.ModuleType("ctx_tools")
    tools.fetch_ctx = fetch_ctx
    sys.modules["ctx_tools"] = tools
    main = types.ModuleType("__main__")
    # `__file__` is the real file, because processes that multiprocessing spawns load the program from it.
    main.__dict__.update(__file__=place, OUTPUT_DIR=OUTPUT_DIR, OUT_DIR=OUTPUT_DIR, ctx_tools=tools)
    sys.modules["__main__"] = main
    try:
        exec(compile(code, name, "exec", dont_inherit=True), main.__dict__)
    except SystemExit as end:
        if end.code is None or end.code == 0:
            return 0
        if not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else 1
    except BaseException as error:
        _fail(error)
        return 1
    return 0


def finish(status):
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    return status


if __name__ == "__main__" and sys.platform != "emscripten":
    _close_inherited()
    sys.exit(finish(run()))
