// Who may see an ask or a session, and who may answer an ask. The rule is written only here and in the SQL of the
// stores, which the store suite compares with `matchesFilter`.
//
//   admin    everything
//   agent    what it asked itself: under its name, and for the same owner or for none
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
  /** For an agent, the person that it works for: agents with the same name and other owners are other agents. */
  readonly owner?: string;
  /** Only these sessions; all sessions by default. */
  readonly sessions?: readonly string[];
  /** Only this ask: the holder of a signed link. */
  readonly askId?: string;
}

type Addressed = Pick<Ask, "recipients">;
/** Who asked, or an agent that looks for what it asked. */
export type Asker = Pick<Ask, "asker" | "owner">;

export function maySee(
  viewer: Viewer,
  subject: Addressed & Asker & Pick<Ask, "session"> & { readonly id?: string },
): boolean {
  const { role, name, sessions, askId } = viewer;
  if (askId !== undefined && subject.id !== askId) return false;
  if (sessions !== undefined && !sessions.includes(subject.session)) return false;
  switch (role) {
    case "admin":
      return true;
    case "agent":
      return isAskedBy(subject, askerOf(viewer));
    case "person":
      return mayAnswer(name, subject);
  }
}

/** What was stored without an owner is compared by name. */
export function isAskedBy(subject: Asker, { asker, owner }: Pick<AskFilter, "asker" | "owner">): boolean {
  return subject.asker === asker && (subject.owner === undefined || subject.owner === owner);
}

/** The asker as one name, which keys and quotas belong to. No name and no owner has a control character. */
export function askerIdentity({ asker, owner }: Asker): string | undefined {
  return owner === undefined ? asker : `${asker ?? ""}\u001f${owner}`;
}

/** The identities under which this agent finds what it asked. */
export function askerIdentities({
  asker = "",
  owner,
}: Pick<AskFilter, "asker" | "owner">): readonly string[] {
  return owner === undefined ? [asker] : [`${askerIdentity({ asker, owner })}`, asker];
}

/** The caller as the asker of asks. */
export function askerOf({ name, owner }: Viewer): Required<Pick<Ask, "asker">> & Asker {
  return { asker: name, ...(owner !== undefined && { owner }) };
}

export function mayAnswer(person: string, subject: Addressed): boolean {
  return addressees(subject)?.includes(person) ?? true;
}

/** The people who may answer; undefined if everyone may. */
export function addressees({ recipients }: Addressed): readonly string[] | undefined {
  return recipients.length === 0 ? undefined : recipients;
}

/** The people who may answer now or after a step of `notify`; undefined if everyone may. */
export function reachable(ask: Pick<Ask, "recipients" | "notify">): readonly string[] | undefined {
  const later = ask.notify?.flatMap(({ to = [] }) => to) ?? [];
  return addressees(ask) && [...new Set([...ask.recipients, ...later])];
}

/** The part of {@link maySee} that a store can filter by. */
export function visibleFilter(viewer: Viewer): AskFilter {
  const { role, name, sessions } = viewer;
  const [session] = sessions?.length === 1 ? sessions : [];
  return {
    ...(role === "agent" && askerOf(viewer)),
    ...(role === "person" && { person: name }),
    ...(session !== undefined && { session }),
  };
}

export function matchesFilter(ask: Ask, filter: AskFilter): boolean {
  const { id, status, session, agentId, asker, person } = filter;
  return (
    (id === undefined || ask.id.includes(id)) &&
    (status === undefined || (status === "settled" ? ask.status !== "pending" : ask.status === status)) &&
    (session === undefined || ask.session === session) &&
    (agentId === undefined || ask.agentId === agentId) &&
    (asker === undefined || isAskedBy(ask, filter)) &&
    (person === undefined || mayAnswer(person, ask))
  );
}
