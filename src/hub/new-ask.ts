import type { Ask, AskRequest } from "../core/index.js";

type Unfinished = { -readonly [Field in keyof Ask]: Ask[Field] } & { timeoutMs?: number };

/** A pending ask made of a request: its deadline counted from now where the request only says how long. */
export function newAsk(
  id: string,
  request: AskRequest,
  createdAt: number,
  { asker, transcript }: { readonly asker: string | undefined; readonly transcript: string | undefined },
): Ask {
  // Written field by field: this runs for every ask, and copies with conditions in them cost the most of it.
  const ask: Unfinished = { ...request, id, status: "pending", createdAt };
  if (request.timeoutMs !== undefined) {
    ask.deadline = createdAt + request.timeoutMs;
    delete ask.timeoutMs;
  }
  if (asker !== undefined) ask.asker = asker;
  if (transcript !== undefined) ask.transcript = transcript;
  return Object.freeze(ask);
}
