/** Writes a short formula as text, for slides: `T_0 = 15\,^\circ\mathrm{C}` becomes T₀ = 15 °C. Long ones stay TeX. */
export interface MathPiece {
  readonly text: string;
  readonly shift: "sub" | "sup" | null;
  /** Whether the piece is a variable, which is set in italics; units and names are upright. */
  readonly isVariable: boolean;
}

/** Commands that stand for one character, each with this character. */
const SIGN_TABLE = `
  alpha α  beta β  gamma γ  delta δ  epsilon ε  varepsilon ε  zeta ζ  eta η  theta θ  iota ι  kappa κ  lambda λ
  mu μ  nu ν  xi ξ  pi π  rho ρ  sigma σ  tau τ  phi φ  varphi φ  chi χ  psi ψ  omega ω
  Gamma Γ  Delta Δ  Theta Θ  Lambda Λ  Xi Ξ  Pi Π  Sigma Σ  Phi Φ  Psi Ψ  Omega Ω
  cdot ·  times ×  pm ±  le ≤  leq ≤  ge ≥  geq ≥  ne ≠  neq ≠  approx ≈  equiv ≡  sim ∼  propto ∝  ll ≪  gg ≫
  in ∈  notin ∉  subset ⊂  subseteq ⊆  cup ∪  cap ∩  emptyset ∅  varnothing ∅  forall ∀  exists ∃
  neg ¬  land ∧  lor ∨  mid ∣  perp ⊥  parallel ∥  angle ∠  langle ⟨  rangle ⟩
  to →  rightarrow →  leftarrow ←  mapsto ↦  Rightarrow ⇒  implies ⇒  Leftrightarrow ⇔  iff ⇔
  infty ∞  partial ∂  nabla ∇  sum ∑  prod ∏  int ∫  circ °  degree °  prime ′  ell ℓ  hbar ℏ
  ldots …  dots …  cdots ⋯  blacksquare ■  square □
`;
const FUNCTIONS = ["max", "min", "log", "ln", "exp", "sin", "cos", "tan", "lim"];
const SIGNS: ReadonlyMap<string, string> = new Map([
  ...SIGN_TABLE.matchAll(/(\w+) (\S)/g).map(([, name = "", sign = ""]): [string, string] => [name, sign]),
  ...FUNCTIONS.map((name): [string, string] => [name, name]),
  ["quad", "  "],
]);
const ACCENTS: ReadonlyMap<string, string> = new Map([
  ["hat", "\u0302"],
  ["bar", "\u0304"],
  ["dot", "\u0307"],
  ["vec", "\u20d7"],
  ["tilde", "\u0303"],
]);
const UPRIGHT: ReadonlySet<string> = new Set("mathrm text mathbf mathit operatorname mathsf textrm".split(" "));

/** Double-struck letters for sets and expectation. */
const DOUBLE: ReadonlyMap<string, string> = new Map(
  Object.entries({ C: "ℂ", E: "𝔼", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" }),
);

/** Matches a variable: a single letter with its accent. */
const VARIABLE = /((?<!\p{L})\p{L}\p{M}*(?![\p{L}\p{M}]))/u;

function isVariable(text: string): boolean {
  return /^\p{L}\p{M}*$/u.test(text);
}

/** Writes a formula as text; null when it needs more than one line. */
export function mathText(tex: string): MathPiece[] | null {
  const pieces: MathPiece[] = [];
  let shift: MathPiece["shift"] = null;
  let read = 0;
  const add = (text: string, isUpright = false) => {
    // A superscript ring is written as a degree sign.
    const at = text === "°" ? null : shift;
    for (const part of isUpright ? [text] : text.split(VARIABLE))
      if (part !== "") pieces.push({ text: part, shift: at, isVariable: !isUpright && isVariable(part) });
    shift = null;
  };
  const flat = tex.replace(GROUP, (group) => group.replace(SIGN, (whole, name: string) => SIGNS.get(name) ?? whole));
  for (const token of flat.matchAll(
    /\\([A-Za-z]+)\s*(?:\{([^{}\\]*)\})?|\\([,;:! %#&_{}|])|([_^])\s*|\{([^{}\\]*)\}|([^\\{}]+?)(?=[\\{}_^]|$)/g,
  )) {
    const [whole, command, argument, space, mark, group, plain] = token;
    read += whole.length;
    if (command !== undefined) {
      const text = commandText(command, argument);
      if (text === null) return null;
      add(text, UPRIGHT.has(command));
    } else if (space !== undefined) add(space === "|" ? "‖" : /[%#&_{}]/.test(space) ? space : "\u2009");
    else if (mark !== undefined) shift = mark === "_" ? "sub" : "sup";
    else if (group !== undefined) {
      // A superscript inside a superscript cannot be written as text.
      if (/[_^]/.test(group)) return null;
      add(group);
    } else if (plain !== undefined) {
      // Without braces, only the first character is lowered or raised.
      if (shift === null) add(plain);
      else {
        const [first = "", ...rest] = [...plain];
        add(first);
        if (rest.length > 0) add(rest.join(""));
      }
    }
  }
  // Unparsed parts, such as nested braces, need more than a line.
  return pieces.length === 0 || read !== flat.length ? null : pieces;
}

const GROUP = /(?<!\\)\{[^{}]*\}/g;
const SIGN = /\\([A-Za-z]+)\s*/g;
const RELATIONS = /^[≤≥≠≈≡∼∈→·×±∉⊂⊆∪∩∧∨∣∝≪≫⊥∥⇒⇔←↦]$/;

function commandText(command: string, argument: string | undefined): string | null {
  const accent = ACCENTS.get(command);
  if (accent !== undefined) return argument === undefined ? null : `${argument}${accent}`;
  if (UPRIGHT.has(command)) return argument ?? null;
  if (command === "mathbb") return DOUBLE.get(argument ?? "") ?? null;
  const sign = SIGNS.get(command);
  if (sign === undefined) return null;
  return RELATIONS.test(sign) ? ` ${sign} ` : `${sign}${argument ?? ""}`;
}
