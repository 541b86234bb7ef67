/** The instructions of a Dockerfile, as far as ours uses them. */
interface Instruction {
  readonly name: string;
  readonly value: string;
}

export interface Stage {
  readonly base: string;
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
}

const KNOWN = new Set([..."FROM ARG WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD".split(" ")]);

export function readDockerfile(text: string): Stage[] {
  const stages: { base: string; name: string | null; instructions: Instruction[] }[] = [];
  const lines = text.replaceAll(/\\\n/g, " ").split("\n");
  for (const line of lines) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, name = "", value = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (!KNOWN.has(name)) throw new Error(`The Dockerfile has an instruction that is not known here: ${line}`);
    const [base = "", , alias = null] = value.split(/\s+/);
    if (name === "FROM") stages.push({ base, name: alias, instructions: [] });
    else stages.at(-1)?.instructions.push({ name, value });
  }
  return stages;
}
