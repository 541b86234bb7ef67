/**
 * Loads the modules that processes of system tests load, and ends. Node writes its compile cache when a process ends by
 * itself, but most of the tests' processes are killed. Without this warm-up, each of them would compile everything
 * again.
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
