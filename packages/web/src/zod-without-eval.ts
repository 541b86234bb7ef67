/** Zod would compile its schemas with `new Function`, which the content security policy forbids and reports. */
import { z } from "zod";

z.config({ jitless: true });
