/**
 * Loads what the processes of system tests load, and ends. Node keeps compiled code when a process ends by itself, which
 * most of those processes never do: they are killed. Without this each of them compiles everything again.
 */
import "@cairn/cli";
import "@cairn/server";
import "cairn-agent/process";
import "@cairn/store/cluster";
import "@cairn/store/s3";
import "@cairn/tools/exec";
import "@cairn/tools/mcp";
import "@cairn/tools/rendering";
import "@cairn/tools/web";
