/** Every attack that the sandboxes contain succeeds without a sandbox. */
import { controlSuite, tryDeno } from "@cairn/testkit/sandbox";

// Its check makes the snapshot of Python that the attacks run in.
await tryDeno();
controlSuite();
