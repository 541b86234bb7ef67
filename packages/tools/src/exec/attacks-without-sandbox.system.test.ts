/** Every attack that the sandboxes contain succeeds without a sandbox. */
import { controlSuite, tryDeno } from "@cairn/testkit/sandbox";

// The check of Deno makes the snapshot of Python in which the attacks run.
await tryDeno();
controlSuite();
