export { CairnError } from "./error.ts";
