// The people that the server knows, for admins: who they are, removing one, and passing on what waits for them.

import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import { REASSIGN_INPUT } from "../../core/model/person.js";
import { namedAsks, peopleWith, removePerson, requireKnown } from "../access/people.js";
import type { Principal } from "../access/principal.js";
import { TO_PERSON } from "../http/parameters.js";
import { readTaken } from "../http/read-body.js";
import { json, type Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Route } from "../routing/call.js";
import { authorized } from "../routing/identify.js";

const ADMIN = { roles: ["admin"] } as const;

const LIST: Operation = {
  id: "listPeople",
  summary: "The people that the server knows, and how many asks wait for each by name",
  responses: { 200: { description: "The people.", schema: "PersonList" } },
};

const REMOVE: Operation = {
  id: "removePerson",
  summary: "End everything that was issued to a person",
  description:
    "Tokens, sign-ins and links end within a second. With `to`, that person is added to every pending ask that names the removed one; the response lists these asks either way.",
  parameters: [TO_PERSON],
  responses: { 200: { description: "What has ended, and what waited.", schema: "RemovedPerson" } },
  errors: ["not_found", "too_large"],
};

const REASSIGN: Operation = {
  id: "reassignAsk",
  summary: "Add people to the recipients of a pending ask",
  description: "An ask to everyone stays one.",
  body: { schema: "ReassignInput" },
  responses: { 200: { description: "The ask.", schema: "AskResponse" } },
  errors: ["not_found", "already_settled", "too_large"],
};

export const peopleRoutes: readonly Route[] = [
  { path: "/v1/people", methods: { GET: authorized(ADMIN, LIST, list) } },
  { path: "/v1/people/{id}", methods: { DELETE: authorized(ADMIN, REMOVE, remove) } },
  { path: "/v1/asks/{id}/reassign", methods: { POST: authorized(ADMIN, REASSIGN, passOn) } },
];

function pendingNamed({ services }: Call): AsyncGenerator<Ask, void, void> {
  return namedAsks((after: string | undefined) =>
    services.hub.list({ status: "pending" }, { limit: 500, after }),
  );
}

async function list(call: Call): Promise<Reply> {
  const { auth } = call.services;
  return json(200, { people: await peopleWith(auth, pendingNamed(call)) });
}

async function remove(call: Call, { name: admin }: Principal): Promise<Reply> {
  const { auth, hub } = call.services;
  const parts = { people: auth.people, revokePerson: (id: string) => auth.revokePerson(id, admin) };
  const [person, to] = [call.param("id"), TO_PERSON.read(call.url.searchParams)];
  return json(200, await removePerson(parts, pendingNamed(call), person, to, hub.escalate));
}

async function passOn(call: Call): Promise<Reply> {
  const { auth, hub } = call.services;
  const { to } = await readTaken(call, REASSIGN_INPUT);
  const { id, outcome } = await hub.get(call.param("id"));
  if (outcome !== undefined) {
    throw new AsklineError("already_settled", `${id} was already ${outcome.kind}`, { outcome });
  }
  await requireKnown(auth.people, to);
  return json(200, { ask: await hub.escalate(id, to) });
}
