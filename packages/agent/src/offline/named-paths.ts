/** File paths in a message, such as `@/home/ada/sales.csv`. They name an attachment, and their words mean nothing else. */
const PATH = /(?<![\p{L}\p{N}.])@(?:"[^"\n]*"|\S*[./\\]\S*)/gu;

export function withoutPaths(message: string): string {
  return message.replace(PATH, " ").trim();
}
