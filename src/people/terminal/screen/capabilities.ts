// What a terminal can do, read from the environment it has set up. Nothing is asked of the terminal itself: an
// answer may never come, and until it does it would have to be kept apart from what a person types.

export interface Capabilities {
  /** How many colours there are; none where the person does not want any. */
  readonly colors: 0 | 16 | 256 | 16_777_216;
  /** Whether the cursor moves: where it does not, there is no rich mode, nor bold or underlined text. */
  readonly cursor: boolean;
  /** Whether more than ASCII can be drawn. */
  readonly unicode: boolean;
  /** OSC 8. */
  readonly hyperlinks: boolean;
  readonly bracketedPaste: boolean;
  /** How to ask for keys that older terminals cannot send apart, such as Ctrl+Enter. */
  readonly keyboard: "kitty" | "modifyOtherKeys" | "plain";
  readonly reflow: Reflow;
}

/**
 * What becomes of a line that no longer fits when the terminal gets narrower: it is cut off; it goes on in the next
 * row, and the cursor stays on its character; or it goes on, and the cursor moves down by all rows that were added,
 * also by those below it (xterm.js, which is in VS Code).
 */
export type Reflow = "none" | "exact" | "shifted";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface TerminalFacts {
  readonly isTTY: boolean;
  /** As `process.platform`. */
  readonly platform: string;
}

export function detectCapabilities(
  environment: Environment,
  { isTTY, platform }: TerminalFacts,
): Capabilities {
  const term = environment.TERM ?? "";
  const windows = platform === "win32";
  const cursor = isTTY && term !== "dumb" && (term !== "" || windows);
  return {
    cursor,
    colors: cursor ? colorsOf(environment, windows) : 0,
    unicode: isUnicode(environment, windows),
    hyperlinks: cursor && hasHyperlinks(environment),
    bracketedPaste: cursor && !/^(linux|vt\d|cons)/.test(term),
    keyboard: cursor ? keyboardOf(environment) : "plain",
    reflow: reflowOf(environment),
  };
}

function colorsOf(environment: Environment, windows: boolean): Capabilities["colors"] {
  const { NO_COLOR, COLORTERM = "", TERM = "", WT_SESSION } = environment;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return 0;
  if (/^(truecolor|24bit)$/i.test(COLORTERM) || WT_SESSION !== undefined || /-direct$/.test(TERM))
    return 16_777_216;
  if (/-256(color)?$/.test(TERM) || windows) return 256;
  return /^vt\d/.test(TERM) ? 0 : 16;
}

function isUnicode(environment: Environment, windows: boolean): boolean {
  const { LC_ALL, LC_CTYPE, LANG, TERM, TERM_PROGRAM, WT_SESSION } = environment;
  // Its fonts have few characters, whatever the locale says.
  if (TERM === "linux") return false;
  if (windows) return WT_SESSION !== undefined || TERM_PROGRAM === "vscode" || TERM !== undefined;
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== "") ?? "";
  return /utf-?8/i.test(locale);
}

function hasHyperlinks(environment: Environment): boolean {
  const { TERM = "", TERM_PROGRAM = "", VTE_VERSION, KONSOLE_VERSION, WT_SESSION } = environment;
  // tmux and screen pass links on only where they are set up to.
  if (inMultiplexer(environment)) return false;
  return (
    WT_SESSION !== undefined ||
    Number(VTE_VERSION ?? 0) >= 5_000 ||
    Number(KONSOLE_VERSION ?? 0) >= 201_200 ||
    /^(iTerm\.app|WezTerm|vscode|ghostty|rio)$/.test(TERM_PROGRAM) ||
    /^(xterm-kitty|xterm-ghostty|foot|alacritty|wezterm|contour)/.test(TERM)
  );
}

function keyboardOf(environment: Environment): Capabilities["keyboard"] {
  const { TERM = "", TERM_PROGRAM = "", XTERM_VERSION } = environment;
  if (inMultiplexer(environment)) return "plain";
  if (/^(xterm-kitty|xterm-ghostty|foot|alacritty|rio)/.test(TERM)) return "kitty";
  if (/^(ghostty|WezTerm|iTerm\.app|rio)$/.test(TERM_PROGRAM)) return "kitty";
  return XTERM_VERSION === undefined ? "plain" : "modifyOtherKeys";
}

function inMultiplexer({ TMUX, STY, TERM = "" }: Environment): boolean {
  return TMUX !== undefined || STY !== undefined || /^(screen|tmux)/.test(TERM);
}

function reflowOf({ TMUX, TERM = "", TERM_PROGRAM, XTERM_VERSION }: Environment): Reflow {
  // tmux calls itself screen, and can do more.
  if (TMUX !== undefined) return "exact";
  if (XTERM_VERSION !== undefined || /^(linux|rxvt|screen|vt\d|cons)/.test(TERM)) return "none";
  return TERM_PROGRAM === "vscode" ? "shifted" : "exact";
}
