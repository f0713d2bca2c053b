// How long each MCP client lets a tool call wait, measured or documented (docs/mcp.md has the same table).

interface ClientLimit {
  readonly client: string;
  /** Matches the `name` in clientInfo. */
  readonly name: RegExp;
  /** How long a call may take, in milliseconds. */
  readonly callMs: number;
  /** How long a call may take without progress, where progress makes it last up to `callMs`. */
  readonly quietMs?: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export const CLIENT_LIMITS: readonly ClientLimit[] = [
  { client: "Claude Code", name: /^claude-code/i, callMs: 28 * 60 * MINUTE, quietMs: 5 * MINUTE },
  { client: "Claude Desktop", name: /^claude-ai|^claude-desktop|^claude desktop/i, callMs: MINUTE },
  { client: "Codex", name: /^codex/i, callMs: 5 * MINUTE },
  { client: "Gemini CLI", name: /^gemini-cli/i, callMs: 10 * MINUTE },
  { client: "opencode", name: /^opencode/i, callMs: 28 * 60 * MINUTE, quietMs: MINUTE },
  { client: "VS Code", name: /^visual studio code|^vscode/i, callMs: 5 * MINUTE },
  { client: "Cursor", name: /^cursor/i, callMs: MINUTE },
];

/** A client that is not in the table, and sent no progressToken: most end a call after 60 seconds. */
const UNKNOWN_MS = MINUTE;
/** The part of a limit that a call waits: 48 of 60 seconds. */
const WAITED = 0.8;

export interface CallerFacts {
  /** The `name` in clientInfo. */
  readonly client: string | undefined;
  readonly hasProgress: boolean;
}

function limitOf(client: string | undefined): ClientLimit | undefined {
  return client === undefined ? undefined : CLIENT_LIMITS.find(({ name }) => name.test(client));
}

/** How long a call waits for a person before it returns `pending`; undefined for as long as it takes. */
export function waitOf({ client, hasProgress }: CallerFacts): number | undefined {
  const known = limitOf(client);
  if (known === undefined) return hasProgress ? undefined : UNKNOWN_MS * WAITED;
  const { callMs, quietMs = callMs } = known;
  return Math.floor((hasProgress ? callMs : quietMs) * WAITED);
}

const TIMEOUT = /time[sd]?[\s_-]*out|deadline|-32001/i;
/** A cancel after this part of the client's limit may be its timeout, whatever it says. */
const CLEARLY_BEFORE = 0.9;

/**
 * Whether a cancelled call means that somebody wants the question gone. Both SDKs also cancel at their own timeout, and
 * a closed connection cancels too; then the ask stays pending.
 */
export function isWithdrawal(
  reason: unknown,
  elapsedMs: number,
  { client, hasProgress }: CallerFacts,
): boolean {
  if (isHangUp(reason)) return false;
  const known = limitOf(client);
  const limitMs =
    known === undefined ? undefined : hasProgress ? known.callMs : (known.quietMs ?? known.callMs);
  if (limitMs !== undefined && elapsedMs >= limitMs * CLEARLY_BEFORE) return false;
  if (typeof reason === "string" && reason !== "") return !TIMEOUT.test(reason);
  // A cancel without a reason: only from a client whose own timeout is known to come later.
  return limitMs !== undefined;
}

/** The SDK aborts the calls of a connection that closes with an error of its own. */
function isHangUp(reason: unknown): boolean {
  return reason instanceof Error && !(reason instanceof DOMException && reason.name === "AbortError");
}
