/**
 * Removes secrets from text before it is written to a log or a journal. Secrets from the process's environment are
 * matched by value. Other secrets are matched by their form or by the name before them: Cairn's tokens, JSON Web
 * Tokens, provider keys, bearer headers, passwords in addresses.
 *
 * Takes linear time, because a match can begin only where a run of matching characters begins.
 */

const REMOVED = "[removed]";
const NAMED =
  "(?:[a-z0-9]+[_-]){0,8}(?:api[_-]?key|access[_-]?key(?:[_-]id)?|authorization|password|passwd|secret|token)";

const SECRETS: readonly RegExp[] = [
  /\bcairn_[A-Za-z0-9_-]{16,}/g,
  /\b(?:Bearer|Basic)\s+[^\s"',;\\]+/gi,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /\b(?:sk|pk|tvly|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{8,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
];
/** `name=value`, `"name": "value"`, and the same inside a text with escaped quotes. */
const AFTER_NAME = new RegExp(`\\b(${NAMED}(?:\\\\*["'])?\\s*[:=]\\s*(?:\\\\*["'])?)[^\\s"',;}\\\\&]+`, "gi");
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'\\]{0,200}:)[^\s/@"'\\]{1,500}(?=@)/gi;

/** Shorter secrets are not removed, because a value such as `test` is part of many ordinary words. */
const MIN_SECRET_LENGTH = 8;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTHORIZATION/i;

export type Redact = (text: string) => string;

/** `known`: the secrets found by `secretsOf`. */
export function redactor(known: readonly string[] = []): Redact {
  const values = [...new Set(known)]
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const value of values) clean = clean.replaceAll(value, REMOVED);
    for (const secret of SECRETS) clean = clean.replace(secret, REMOVED);
    return clean.replace(IN_ADDRESS, `$1${REMOVED}`).replace(AFTER_NAME, `$1${REMOVED}`);
  };
}

/** The secrets of an environment: values of variables with names such as `*_KEY`, and passwords in addresses. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    // The variable with the token list is not a secret: it contains only hashes, and often is a file name.
    if (SECRET_NAME.test(name) && name !== "CAIRN_TOKENS") return [value.trim()];
    // The test for `@` comes first, because it is cheap and this code runs for every error message.
    const password = value.includes("@") && URL.canParse(value) ? new URL(value).password : "";
    return password === "" ? [] : [password, decoded(password)];
  });
}

/**
 * Removes secrets from an error message before people or models see it in the conversation, its streams or the
 * terminal. Providers, tools and MCP servers may repeat a key that they were given, and a key may have any form.
 */
export function withoutSecrets(message: string): string {
  return redactor(secretsOf(process.env))(message);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The password is not percent-encoded, so the text is used unchanged.
    return text;
  }
}
