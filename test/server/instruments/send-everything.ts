import { WebSocket } from "ws";
import { askRoutes } from "../../../src/server/api/asks.js";
import { draftRoutes } from "../../../src/server/api/drafts.js";
import { endingRoutes } from "../../../src/server/api/endings.js";
import { eventRoutes } from "../../../src/server/api/events.js";
import { linkRoutes } from "../../../src/server/api/links.js";
import { healthRoutes, metricsRoutes } from "../../../src/server/api/operating.js";
import { sessionRoutes } from "../../../src/server/api/sessions.js";
import { ticketRoutes } from "../../../src/server/api/tickets.js";
import { tokenRoutes } from "../../../src/server/api/tokens.js";
import { pageRoutes } from "../../../src/server/pages/routes.js";
import type { Route } from "../../../src/server/routing/call.js";
import { browser } from "../browser.ts";
import { readEvents } from "../event-reader.ts";
import { openRaw, questionEvent } from "../gateway/raw-socket.ts";
import { call } from "../open-server.ts";
import { readSession } from "../session-reader.ts";

export const ROUTES: readonly Route[] = [
  ...[...askRoutes, ...endingRoutes, ...draftRoutes, ...linkRoutes, ...tokenRoutes, ...eventRoutes],
  ...[...sessionRoutes, ...ticketRoutes, ...healthRoutes, ...metricsRoutes, ...pageRoutes],
];

/** In every text, name and path of the requests below: where this is in a log, something private is. */
const MARK = "zq7private";

export interface Target {
  readonly url: string;
  readonly port: number;
  readonly agent: string;
  /** The token of the person called "ana". */
  readonly person: string;
  readonly admin: string;
  /** A one-time code of the same person. */
  readonly code: string;
}

/**
 * Sends requests of every kind, good and bad, each with the mark in whatever it can carry. Returns what must be in
 * no log.
 */
export async function sendEverything(target: Target): Promise<readonly string[]> {
  const { agent, person, admin, code } = target;
  const secrets = [MARK, agent, person, admin, code];
  await asksOf(target);
  await sessionOf(target);
  secrets.push(...(await pagesOf(target)));
  const link = await linkTo(target);
  secrets.push(link);
  await byLink(target, link);
  secrets.push(await tokenOf(target), await ticketOf(target));
  await overSockets(target);
  for (const token of [agent, person, admin, `${agent.slice(0, -4)}zzzz`, MARK, undefined]) {
    await everyRoute(target, token, link);
  }
  await call(target, agent, `GET /${MARK}?token=${agent}&code=${code}`);
  return secrets;
}

const marked = (text: string): string => `${text} ${MARK}`;
const QUESTION = { question: marked("Ship it?"), options: [marked("Yes"), marked("No")] };

async function ask(target: Target, more: object = {}): Promise<string> {
  const { body } = await call(target, target.agent, "POST /v1/asks", {
    questions: [{ ...QUESTION, id: "q1" }],
    context: marked("why"),
    session: `session-${MARK}`,
    metadata: { note: MARK },
    ...more,
  });
  if (body.ask === undefined) throw new Error(JSON.stringify(body));
  return body.ask.id;
}

async function asksOf(target: Target): Promise<void> {
  const { agent, person } = target;
  const answer = { answers: [{ question: "q1", text: marked("Later") }], note: MARK };
  const first = await ask(target, { key: MARK });
  await call(target, agent, "POST /v1/asks", { questions: [MARK], [MARK]: 1 });
  await call(target, agent, `GET /v1/asks?session=${MARK}&agent=${MARK}`);
  await call(target, person, `PUT /v1/asks/${first}/draft`, { answers: [{ question: "q1", text: MARK }] });
  await call(target, person, `GET /v1/asks/${first}/draft`);
  await call(target, person, `POST /v1/asks/${first}/opened`, {});
  await call(target, person, `GET /v1/asks/${first}`);
  await call(target, person, `POST /v1/asks/${first}/answer`, {
    answers: [{ question: MARK, selected: [MARK] }],
  });
  await call(target, person, `POST /v1/asks/${first}/answer`, answer);
  await call(target, person, `POST /v1/asks/${first}/answer`, { ...answer, note: "other" });
  await call(target, person, `POST /v1/asks/${await ask(target)}/decline`, { reason: MARK });
  await call(target, person, `POST /v1/asks/${await ask(target)}/reply`, { text: MARK });
  await call(target, agent, `POST /v1/asks/${await ask(target)}/withdraw`, { reason: MARK });
  await call(target, agent, `POST /v1/asks/${await ask(target)}/report`, {
    ...{ person: "ana", surface: MARK, answer },
  });
  const approval = {
    questions: undefined,
    approval: { actions: [{ id: "a1", name: MARK, args: { to: MARK } }] },
  };
  const decisions = [{ action: "a1", kind: "reject", message: MARK }];
  await call(target, person, `POST /v1/asks/${await ask(target, approval)}/decide`, { decisions });
  const events = await readEvents(target, person, `?after=0&session=session-${MARK}`);
  await events.count(1);
  events.hangUp();
}

/** A token that was created, used and revoked. */
async function tokenOf(target: Target): Promise<string> {
  const { admin } = target;
  const { body } = await call(target, admin, "POST /v1/tokens", {
    ...{ role: "person", name: "ana", sessions: [MARK] },
  });
  const { token, info } = body as unknown as {
    readonly token: string;
    readonly info: { readonly id: string };
  };
  await call(target, token, "GET /v1/asks");
  await call(target, admin, "GET /v1/tokens");
  await call(target, admin, `DELETE /v1/tokens/${info.id}`);
  return token;
}

/** A ticket that was used, and used again; and the stream of opened sessions. */
async function ticketOf(target: Target): Promise<string> {
  const { body } = await call(target, target.person, "POST /v1/tickets", { path: "/v1/events" });
  const { ticket } = body as unknown as { readonly ticket: string };
  const stop = new AbortController();
  await fetch(`${target.url}/v1/events?ticket=${ticket}`, { signal: stop.signal });
  const headers = { authorization: `Bearer ${target.agent}` };
  await fetch(`${target.url}/v1/sessions/opened`, { headers, signal: stop.signal });
  stop.abort();
  await call(target, undefined, `GET /v1/events?ticket=${ticket}`);
  return ticket;
}

async function sessionOf(target: Target): Promise<void> {
  const { agent, person } = target;
  const path = `/v1/sessions/chat-${MARK}`;
  await call(target, agent, `POST ${path}/events`, { type: "open" });
  await call(target, agent, `POST ${path}/events`, { type: "text", text: MARK });
  await call(target, agent, `POST ${path}/events`, { type: "ask", questions: [QUESTION] });
  await call(target, person, `POST ${path}/messages`, { type: "message", text: MARK });
  await call(target, person, `GET ${path}/history`);
  const stream = await readSession(target, person, `chat-${MARK}`, "0");
  stream.hangUp();
  const socket = new WebSocket(`ws://127.0.0.1:${target.port}${path}/stream`, {
    headers: { authorization: `Bearer ${person}` },
  });
  await new Promise((resolve) => socket.once("open", resolve));
  socket.close();
  await new Promise((resolve) => socket.once("close", resolve));
}

/** The secret of the cookie. */
async function pagesOf(target: Target): Promise<readonly string[]> {
  const own = browser(target);
  await own.get(`/?code=${target.code}`);
  await own.submit("/login", { code: `${MARK}` });
  await own.submit("/login", { code: target.code });
  const secret = own.cookie?.split("=")[1] ?? "";
  if (secret.length < 16) throw new Error("nobody is signed in");
  const id = await ask(target);
  await own.get(`/asks/${id}`);
  await own.submit(`/asks/${id}/reply`, { text: MARK });
  await own.submit("/logout", {});
  return [secret];
}

async function linkTo(target: Target): Promise<string> {
  const { body } = await call(target, target.admin, `POST /v1/asks/${await ask(target)}/links`, {
    person: "ana",
  });
  const link = body.url?.split("/a/")[1];
  if (link === undefined) throw new Error(JSON.stringify(body));
  return link;
}

async function byLink(target: Target, link: string): Promise<void> {
  const own = browser(target);
  await own.get(`/a/${link}`);
  await own.get(`/a/${link.slice(0, -3)}`);
  await call(target, link, "GET /v1/asks");
  await own.submit(`/a/${link}/reply`, { text: MARK });
}

async function overSockets(target: Target): Promise<void> {
  const host = await openRaw(target, { token: target.agent });
  host.send(
    questionEvent(MARK, [{ question: MARK, header: "Mark", options: [{ label: MARK }, { label: "b" }] }]),
  );
  host.send({ type: MARK, payload: MARK });
  await host.untilPong();
  const device = await openRaw(target, {
    token: target.person,
    protocols: [`askline.token.${target.person}`],
  });
  device.send(MARK);
  await device.untilPong();
  await Promise.all([host.close(), device.close()]);
  await openRaw(target, { token: MARK }).catch(() => undefined);
}

async function everyRoute(target: Target, token: string | undefined, link: string): Promise<void> {
  for (const { path, methods } of ROUTES) {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === "link" ? link : `x-${MARK}`));
    for (const method of [...Object.keys(methods), "DELETE"]) {
      // A stream would go on.
      if (/^\/v1\/(events|sessions\/opened)$/.test(filled) && method === "GET") continue;
      const hasBody = method !== "GET" && method !== "DELETE";
      await fetch(`${target.url}${filled}?q=${MARK}`, {
        ...{ method, redirect: "manual" },
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...{ cookie: `askline=${MARK}`, "user-agent": MARK, referer: `${target.url}/a/${link}` },
          ...(hasBody && { "content-type": "application/json" }),
        },
        ...(hasBody && { body: JSON.stringify({ text: MARK, [MARK]: MARK }) }),
      }).then((response) => response.text());
    }
  }
}
