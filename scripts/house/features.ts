/**
 * The commits that added features after the baseline. `npm run house` counts their lines apart from the code that was
 * restructured. The rule (decision 0908): a commit is listed only if users, operators or applications can do or see
 * something that the project did not offer at the baseline, or if it corrects a feature listed here. Commits that move,
 * reword or restructure code are not listed, and neither are corrections of older code.
 *
 * A commit counts with the lines it added minus the lines it removed. So older code that grew with a feature is counted
 * with the feature, and a later restructuring of the feature is not.
 */
import { execFileSync } from "node:child_process";

/** The commits that only made the program faster. They are no feature, so the total is also printed with them. */
export const PERFORMANCE = "performance: faster start and token count";

const FEATURES: Readonly<Record<string, string>> = {
  "library for applications": `
    d9db7bbc 04b8e49b 505e6d14 d8df8ffa ec0b0a53 cf172fb5 2b2a69a4 772ca5dd 2677ecff 2fdabc5c 08d6543e 063a3b66 cd385f9c
    65fa3452 330b20e1 c2a4071a 97fd372b 1a74f144 53f1edd0 f2548499 6f360405 9fd9c0a5
    653a1f9b`,
  "AI SDK clients": "ae129c17 14ee8cf3 89358017 10630d59 e2f9c091",
  "import of messages": "ff37d1da 5401d2cd 50b77260 fd427a97",
  "structured output": "c3f26a61 6c973954 b4289e34 a165116a",
  "hooks and edited approvals": "c6d9c6de d09fe35a 6c25df5b 41a53492 166482b6 f703578f 77185ced 4697031d 45787f45",
  "native lowering": "4295a903 bba4ed9c 14a02df7 181d6c41 ac5f9f30 a6736b69 9b1b3a15 1cd4ba2a 79648e01",
  "kept and readable reasoning": `
    38bd5a4d 62baad7e 45cff8d6 6a08ea42 f3c61c39 dcde30df ae4e69ce cf1f90a7 7bc8f0f1 e5928d08 e2d39b90 8be491c6
    74de37f9 e25dc716 f0368645 1718a352 b96bef1b 42561ef7`,
  "tools for models that have none": "fdac3d9e acafe4ea 4acd0715 b081747c",
  "Amazon Bedrock": "7ff4ecec",
  "MCP revisions, logins, mcp.json and links": `
    85d8a4a6 6e2ee79b 3253d867 ca0eea5e d09d1561 fea31b61 51378855 92600523 9b134d3a a855f368 14384fa7 04a63fce 5f5d3742
    cffef329 163ab007 f6e7ef5a 66fbe4f1 2140644c 3b121922 c0b9b8e2 89c0419e`,
  "MCP servers in the app, prompts and tasks": "7a56560d 4dd7e8f4 4949c2cb f6c6f36c e6411465",
  "the agent as an MCP server":
    "6665edde c39f3266 faa0e92c 3b287dcb 78ad4219 c0ea7640 a9c39bb4 6974171f df79c3b8 e5b3bfd3 d02b1994",
  "questions of a call":
    "f2469d03 3a70308c 2eb7e20b 1db866e3 1f5956b0 43b594fe b7af7486 da9fe3dd 5ffd28f0 a2892592 a9a14791",
  skills: "ef66729c",
  traces: "1f201c0b",
  "branches, versions and waiting messages": `
    8b238b2b 644205bf 66e47387 8f66022e e5294652 2483717a 8d007527 ea22e239 afdf3090 104ff12d 0990789e d9054e99 cd11ce35
    877b22ca 7926d460 b6fff822 dc80c890 4ee9ce68 92089cbf 6d183a31 60f1264c b39561e8 e027c078`,
  "preview of HTML and Mermaid files": "69925119 85a77724 5fa638ae",
  "requests, caches and costs in the inspector": "94a9a9a4 4fc7556d 93eb13e2 3f769e49 856f7ade",
  "exports, addresses, unread marks, toasts and pictures in the web app":
    "4cf5a12e e6fdcf3f 86db0a74 adcffe92 c730a9c8 edc21a08 928250c8 56701207 7a0a2b1f bd95a333 e2d59955 132e4764",
  "output of a running program": "2aa5e4fc 657bb3d7",
  "terminal chat on a screen of its own": `
    bc52cba9 9be9243c 4972178a e9103add 914d83a5 4bc826be fab0ccd8 1ccd6024 c09f05dd 1856bbf8 3bb8deb0 de68ebb1 559b43bc
    a664f60f ca65a804`,
  "offline model: charts, sums, library, languages": `
    24a1b6c7 51b26dc2 0fcef5f4 f2557d34 d49f4453 5a3178c0 889568c5 f38efdb8 6c74b396 1b85f593 4e1518a2 517fa522
    1539d649 f9bbd5f7 44b52b48 def45700 7c35722f 2f7f6ee3 e082242e 7f841ba6 f5db26f6 ce4e35f2 8d0d8a6f 146cdc61
    2434e42b f04c9195 b9defa5a 67261433 2caaa473 27a129c5 9bccff70 9314ce5c a48572a0 5b5355b9 cec79cfc 56e2b149 8e5b0d4e 9d6e66d7 b87b135f c5ed0572 4735949f 01d458fa 98b89823 07cd9559`,
  [PERFORMANCE]:
    "c90b0bff d24374fd be2629e2 ddc446f1 de37a576 472fe53c 2584032e 3314f087 8550e86f 4ce11776 8180c0cc 711ff888",
  "shares of the processor, and limits of requests": `
    9fa31876 1eb33c65 3f21af1d 2b362fe3 583f5993 25c3f44b e60ef8a3 b5b5c987 ed516b5d 456147fa 99708c10 11e42b83
    3fe8d9c7 aed9fadf ed41fc19 656395a5
    d28247bd 581e03dd ddbdbf3f ae223f70 7dc7c09a 06b8556e`,
};

/**
 * Features with the number of lines that their commits added minus those they removed. Only files that `isCounted`
 * accepts count.
 */
export function featureLines(root: string, isCounted: (path: string) => boolean): ReadonlyMap<string, number> {
  const listed = Object.values(FEATURES).flatMap(commitsIn);
  const twice = listed.find((commit, at) => listed.indexOf(commit) !== at);
  if (twice !== undefined) throw new Error(`The commit ${twice} is listed twice. Its lines would count twice.`);
  return new Map(
    Object.entries(FEATURES).map(([name, commits]) => [name, linesOf(root, commitsIn(commits), isCounted)]),
  );
}

function commitsIn(list: string): string[] {
  return list.trim().split(/\s+/);
}

function linesOf(root: string, commits: readonly string[], isCounted: (path: string) => boolean): number {
  const options = ["--no-walk", "--no-renames", "--numstat", "--format="];
  const changes = execFileSync("git", ["log", ...options, ...commits], { cwd: root });
  const net = changes.toString().matchAll(/^(\d+)\t(\d+)\t(.+)$/gm);
  return net.reduce(
    (sum, [, added, removed, path = ""]) => sum + (isCounted(path) ? Number(added) - Number(removed) : 0),
    0,
  );
}
