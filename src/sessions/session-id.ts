import { AsklineError, LIMITS } from "../core/index.js";

/** The id, if it can be one: it names a log. */
export function requireSessionId(sessionId: string): string {
  if (sessionId !== "" && sessionId.length <= LIMITS.sessionLength && !/\p{Cc}|\p{Cs}/u.test(sessionId)) {
    return sessionId;
  }
  throw new AsklineError(
    "invalid_request",
    `a session's id has 1 to ${LIMITS.sessionLength} characters, none of them a control character`,
  );
}
