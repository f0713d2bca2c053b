// Who may see an ask or a session, and who may answer an ask. The rule is written only here and in the SQL of the
// stores, which the store suite compares with `matchesFilter`.
//
//   admin    everything
//   agent    what it asked itself
//   person   what is addressed to them or to everyone
//
// A credential may be limited to some sessions or to one ask.

import type { Ask } from "./ask.js";
import type { AskFilter } from "./ports.js";

export const ROLES = ["agent", "person", "admin"] as const;
export type Role = (typeof ROLES)[number];

export interface Viewer {
  readonly role: Role;
  /** For an agent, the name that its asks are stored under; for a person, the person's id. */
  readonly name: string;
  /** Only these sessions; all sessions by default. */
  readonly sessions?: readonly string[];
  /** Only this ask: the holder of a signed link. */
  readonly askId?: string;
}

type Addressed = Pick<Ask, "recipients">;

export function maySee(
  { role, name, sessions, askId }: Viewer,
  subject: Addressed & Pick<Ask, "session" | "asker"> & { readonly id?: string },
): boolean {
  if (askId !== undefined && subject.id !== askId) return false;
  if (sessions !== undefined && !sessions.includes(subject.session)) return false;
  switch (role) {
    case "admin":
      return true;
    case "agent":
      return subject.asker === name;
    case "person":
      return mayAnswer(name, subject);
  }
}

export function mayAnswer(person: string, subject: Addressed): boolean {
  return addressees(subject)?.includes(person) ?? true;
}

/** The people who may answer; undefined if everyone may. */
export function addressees({ recipients }: Addressed): readonly string[] | undefined {
  return recipients.length === 0 ? undefined : recipients;
}

/** The part of {@link maySee} that a store can filter by. */
export function visibleFilter({ role, name, sessions }: Viewer): AskFilter {
  const [session] = sessions?.length === 1 ? sessions : [];
  return {
    ...(role === "agent" && { asker: name }),
    ...(role === "person" && { person: name }),
    ...(session !== undefined && { session }),
  };
}

export function matchesFilter(ask: Ask, { status, session, agentId, asker, person }: AskFilter): boolean {
  return (
    (status === undefined || (status === "settled" ? ask.status !== "pending" : ask.status === status)) &&
    (session === undefined || ask.session === session) &&
    (agentId === undefined || ask.agentId === agentId) &&
    (asker === undefined || ask.asker === asker) &&
    (person === undefined || mayAnswer(person, ask))
  );
}
