// What a token may do, for agents that `askline connect` sets up.

import { isRecord } from "../../core/kit/json.js";
import type { Principal } from "../../server/access/principal.js";
import { serverFetch } from "./server-fetch.js";

const LONGEST_MS = 5_000;

type Caller = Partial<Pick<Principal, "role" | "reports">>;

/** Why an agent that is connected must not use this token; undefined if it may. */
export function tokenProblem(caller: Caller | undefined): string | undefined {
  if (caller === undefined) return "its token is unknown, expired or revoked";
  if (caller.role !== "agent") return "its token is not an agent's";
  if ((caller.reports?.length ?? 0) > 0) return undefined;
  return "its token was made without --reports, so its prompts would go to everyone";
}

/** The same for a token of a server elsewhere; also undefined if that server cannot be reached, or does not say. */
export async function remoteTokenProblem(
  data: string,
  url: string,
  token: string,
): Promise<string | undefined> {
  try {
    const response = await serverFetch(data, url)(`${url}/v1/server`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    if (response.status === 401) return tokenProblem(undefined);
    const body: unknown = await response.json();
    return isRecord(body) && isRecord(body.caller) ? tokenProblem(body.caller as Caller) : undefined;
  } catch {
    return undefined;
  }
}
