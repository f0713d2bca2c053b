import { type AskFilter, AsklineError, LIMITS, OUTCOME_KINDS, type Page } from "../core/index.js";

const LONGEST_WAIT_SECONDS = 60;
const LARGEST_PAGE = 500;
const POSITION = /^\d{1,15}$/;

/** For how many seconds to hold the response: 0 to 60, 0 where it is not given. */
export function readWait(query: URLSearchParams): number {
  return readInteger(query, "wait", { min: 0, max: LONGEST_WAIT_SECONDS }) ?? 0;
}

export function readPage(query: URLSearchParams): Page {
  const limit = readInteger(query, "limit", { min: 1, max: LARGEST_PAGE });
  const after = query.get("after");
  const order = query.get("order");
  if (after !== null && !POSITION.test(after)) throw refused("after", "must be the next of the page before");
  if (order !== null && order !== "oldest" && order !== "newest") {
    throw refused("order", "must be oldest or newest");
  }
  return {
    ...(after !== null && { after }),
    ...(limit !== undefined && { limit }),
    ...(order !== null && { order }),
  };
}

export function readFilter(query: URLSearchParams): Pick<AskFilter, "status" | "session" | "agentId"> {
  const status = readStatus(query.get("status"));
  const session = readText(query, "session", LIMITS.sessionLength);
  const agentId = readText(query, "agent", LIMITS.idLength);
  return {
    ...(status !== undefined && { status }),
    ...(session !== undefined && { session }),
    ...(agentId !== undefined && { agentId }),
  };
}

/** The position to read events on from: of the query, or of the header that a reconnecting browser sends. */
export function readPosition(query: URLSearchParams, headers: Headers): number | undefined {
  const given = headers.get("last-event-id") || query.get("after");
  if (given === null) return undefined;
  if (!POSITION.test(given)) throw refused("after", "must be the position of an event");
  return Number(given);
}

function readStatus(given: string | null): AskFilter["status"] {
  if (given === null) return undefined;
  const known = (["pending", "settled", ...OUTCOME_KINDS] as const).find((status) => status === given);
  if (known === undefined) throw refused("status", `must be pending, settled or ${OUTCOME_KINDS.join(", ")}`);
  return known;
}

function readInteger(
  query: URLSearchParams,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (!(value >= min && value <= max)) throw refused(name, `must be a whole number from ${min} to ${max}`);
  return value;
}

function readText(query: URLSearchParams, name: string, max: number): string | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  if (given.length > max || /\p{Cc}/u.test(given)) {
    throw refused(name, `must have at most ${max} characters, none of them a control character`);
  }
  return given;
}

function refused(name: string, message: string): AsklineError {
  return new AsklineError("invalid_request", `${name} ${message}`);
}
