// The part of opencode's HTTP API that the bridge uses, in the shapes of recorded.json. It behaves as the recorded server
// did: a reply ends a request and sends an event; a second one gets 404; an aborted turn leaves its question listed.
import { createServer, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { listen } from "../../client/scripted-server.ts";
import recorded from "./recorded.json" with { type: "json" };

export { recorded };

type Kind = "question" | "permission";
export interface Received {
  readonly path: string;
  readonly body: unknown;
}

export async function openReplay() {
  const open: Record<Kind, Map<string, { readonly id: string; readonly sessionID: string }>> = {
    question: new Map(),
    permission: new Map(),
  };
  const busy = new Set<string>();
  /** Stored sessions: they outlive the process, unlike everything else. */
  const sessions = new Set<string>();
  let ignored = 0;
  const received: Received[] = [];
  const listeners = new Set<() => void>();
  const streams = new Set<ServerResponse>();
  const send = (event: object): void => {
    for (const stream of streams) stream.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  const event = (type: string, properties: object): void => send({ id: "evt_1", type, properties });

  /** Ends a request as opencode does, for a reply of the bridge and one of the person at opencode. */
  const end = (
    kind: Kind,
    requestID: string,
    action: string,
    body: Readonly<Record<string, unknown>>,
  ): boolean => {
    const request = open[kind].get(requestID);
    if (request === undefined) return false;
    open[kind].delete(requestID);
    const type = action === "reject" ? "question.rejected" : `${kind}.replied`;
    const { message: _, ...told } = body;
    event(type, { sessionID: request.sessionID, requestID, ...told });
    return true;
  };
  const server = createServer(async (request, response) => {
    const { pathname: path } = new URL(request.url ?? "/", "http://localhost");
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (ignored > 0) {
      ignored -= 1;
      received.push({ path, body: undefined });
      for (const listener of listeners) listener();
      return;
    }
    if (path === "/event") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify(recorded.connected)}\n\n`);
      streams.add(response);
      response.on("close", () => streams.delete(response));
      return;
    }
    if (path === "/path") return reply(200, recorded.path);
    if (path === "/question" || path === "/permission")
      return reply(200, [...open[path.slice(1) as Kind].values()]);
    if (path === "/session/status") {
      return reply(200, Object.fromEntries([...busy].map((id) => [id, recorded.status.busy])));
    }
    const [, session] = /^\/session\/(\w+)$/.exec(path) ?? [];
    if (session !== undefined) {
      return sessions.has(session) ? reply(200, { id: session }) : reply(404, recorded.notFound);
    }
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = text === "" ? {} : JSON.parse(text);
    received.push({ path, body });
    const [, kind, id = "", action = ""] = path.split("/");
    if (kind === "session") reply(200, true);
    else if (end(kind as Kind, id, action, body)) reply(200, true);
    else reply(404, recorded.notFound);
    for (const listener of listeners) listener();
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const drop = (): void => server.closeAllConnections();
  onTestFinished(() => {
    drop();
    server.close();
  });
  let count = 0;
  return {
    url,
    /** opencode asks; returns the id of the request. */
    ask(fields: object = {}, kind: Kind = "question", sessionID = "ses_1"): string {
      count += 1;
      const id = `${kind === "question" ? "que" : "per"}_${count}`;
      const base = kind === "question" ? recorded.questionAsked : recorded.permissionAsked;
      const request = { ...base.properties, ...fields, id, sessionID };
      open[kind].set(id, request);
      busy.add(sessionID);
      sessions.add(sessionID);
      send({ ...base, properties: request });
      return id;
    },
    /** Somebody answers in opencode. */
    answerHere: (kind: Kind, id: string, action: "reply" | "reject", body = {}) =>
      end(kind, id, action, body),
    /** The turn ends; after an abort, its question stays listed. */
    idle(sessionID = "ses_1"): void {
      busy.delete(sessionID);
      event("session.idle", { sessionID });
    },
    /** It takes the next requests and never answers them, as while it starts. */
    ignoreNext(count: number): void {
      ignored = count;
    },
    /** Answered while no bridge was connected. */
    forget: (kind: Kind, id: string) => open[kind].delete(id),
    /** The connections break. */
    drop,
    /** A session of an earlier process. */
    store: (sessionID: string) => sessions.add(sessionID),
    /** The process is killed. */
    async kill(): Promise<void> {
      drop();
      await new Promise((closed) => server.close(closed));
    },
    /** Resolves to the request that was sent to this path. */
    received(path: string): Promise<unknown> {
      return new Promise((resolve) => {
        const look = (): void => {
          const found = received.find((each) => each.path === path);
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found.body);
        };
        listeners.add(look);
        look();
      });
    },
    all: received as readonly Received[],
  };
}
