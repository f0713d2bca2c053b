import type { Ask, AskFilter } from "../core/index.js";

/** What of a filter the server takes. */
export function filterQuery({
  status,
  session,
  agentId,
}: AskFilter): Readonly<Record<string, string | undefined>> {
  return { status, session, agent: agentId };
}

/**
 * What of a filter the server does not take, as it goes by the token: narrowed down here. A page may then
 * hold fewer asks than it could.
 */
export function matchesHere(ask: Ask, { asker, person }: AskFilter): boolean {
  return (
    (asker === undefined || ask.asker === asker) &&
    (person === undefined || ask.recipients.length === 0 || ask.recipients.includes(person))
  );
}
