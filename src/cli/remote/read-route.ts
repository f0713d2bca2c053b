import { judgeResponse } from "../../client/judge-response.js";
import { AsklineError } from "../../core/index.js";
import type { Remote } from "./open-client.js";

const LONGEST_MS = 15_000;

/** What a GET gives that the client has no method for. Rejects as the client does. */
export async function readRoute({ url, token }: Remote, path: string, now: number): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    text = await response.text();
  } catch (error) {
    throw new AsklineError("unreachable", `cannot reach ${url}`, { cause: error });
  }
  const { status, headers } = response;
  if (!response.ok) throw judgeResponse({ base: url, status, headers, text, now }).error;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AsklineError("unreachable", `${url} answered with something that is not JSON`, {
      cause: error,
    });
  }
}
