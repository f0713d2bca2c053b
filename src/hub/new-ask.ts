import type { Ask, AskRequest } from "../core/index.js";
import type { Unfinished } from "../core/model/field.js";

/** A pending ask made of a request: its deadline counted from now where the request only says how long. */
export function newAsk(
  id: string,
  request: AskRequest,
  createdAt: number,
  { asker, transcript }: { readonly asker: string | undefined; readonly transcript: string | undefined },
): Ask {
  const { questions, approval, context, session, key, agentId, agentPath, recipients, metadata } = request;
  const { deadline, timeoutMs, onDeadline, extendOnActivity, latest, allowPartial, requireSurface } = request;
  // Written field by field: this runs for every ask, and a copy that leaves a field out costs ten times as much.
  const ask: Partial<Unfinished<Ask>> = { questions };
  if (approval !== undefined) ask.approval = approval;
  if (context !== undefined) ask.context = context;
  ask.session = session;
  if (key !== undefined) ask.key = key;
  if (agentId !== undefined) ask.agentId = agentId;
  if (agentPath !== undefined) ask.agentPath = agentPath;
  ask.recipients = recipients;
  if (metadata !== undefined) ask.metadata = metadata;
  if (timeoutMs !== undefined) ask.deadline = createdAt + timeoutMs;
  else if (deadline !== undefined) ask.deadline = deadline;
  ask.onDeadline = onDeadline;
  if (extendOnActivity !== undefined) ask.extendOnActivity = extendOnActivity;
  if (latest !== undefined) ask.latest = latest;
  ask.allowPartial = allowPartial;
  ask.requireSurface = requireSurface;
  ask.id = id;
  ask.status = "pending";
  ask.createdAt = createdAt;
  if (asker !== undefined) ask.asker = asker;
  if (transcript !== undefined) ask.transcript = transcript;
  return Object.freeze(ask as Ask);
}
