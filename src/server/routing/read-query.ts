import { defined } from "../../core/kit/tools.js";
import type { AskFilter, Page } from "../../core/model/ports.js";
import { sha256 } from "../../hub/seam/sha256.js";
import type { Principal } from "../access/principal.js";
import {
  AGENT_IS,
  EVENTS_AFTER,
  ID_HAS,
  IDEMPOTENCY_KEY,
  LAST_EVENT,
  LIMIT,
  ORDER,
  PAGE_AFTER,
  SESSION_IS,
  STATUS_IS,
  SURFACE_HEADER,
} from "../http/parameters.js";
import type { RequestHeaders } from "../http/request.js";
import type { Call } from "./call.js";

/** The filter of a list. Streams have no `id`. */
export function readListFilter(
  query: URLSearchParams,
): ReturnType<typeof readFilter> & Pick<AskFilter, "id"> {
  return { ...readFilter(query), ...defined({ id: ID_HAS.read(query) }) };
}

export function readPage(query: URLSearchParams): Page {
  const limit = LIMIT.read(query);
  const after = PAGE_AFTER.read(query);
  const order = ORDER.read(query);
  return {
    ...defined({ after, limit }),
    order,
  };
}

export function readFilter(query: URLSearchParams): Pick<AskFilter, "status" | "session" | "agentId"> {
  const status = STATUS_IS.read(query);
  const session = SESSION_IS.read(query);
  const agentId = AGENT_IS.read(query);
  return defined({ status, session, agentId });
}

/** The position to read events from: the query, or the header that a reconnecting browser sends. */
export function readPosition(query: URLSearchParams, headers: RequestHeaders): number | undefined {
  const given = LAST_EVENT.read(headers) ?? EVENTS_AFTER.read(query);
  return given === undefined ? undefined : Number(given);
}

/** The person's surface, as the sender names it; shown to others next to the person's name. */
export function surfaceOf({ request }: Call, { askId }: Principal): string {
  // Always recorded: the creator of a link could have opened it too.
  return askId === undefined ? SURFACE_HEADER.read(request.headers) : "link";
}

/** The id of an attempt that names itself. The same key of another caller is another attempt. */
export function attemptId(
  { request }: Call,
  prefix: string,
  callerAndTarget: readonly (string | undefined)[],
): string | undefined {
  const key = IDEMPOTENCY_KEY.read(request.headers);
  if (key === undefined || key === "") return undefined;
  return `${prefix}_${sha256(JSON.stringify([...callerAndTarget, key]), "base64url")}`;
}
