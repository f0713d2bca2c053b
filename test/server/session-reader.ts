import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { StreamEvent } from "../../src/core/model/stream-event.js";
import { until } from "./open-server.ts";

export interface SessionReader {
  readonly status: number;
  readonly response: IncomingMessage;
  text(): string;
  events(): readonly { readonly id: string; readonly event: StreamEvent }[];
  /** Resolves once such an event has come. */
  find(
    wanted: (event: StreamEvent) => boolean,
  ): Promise<{ readonly id: string; readonly event: StreamEvent }>;
  readonly ended: Promise<void>;
  hangUp(): void;
}

/** Reads the stream of a session over a connection of its own. */
export async function readSession(
  { port }: { readonly port: number },
  token: string,
  sessionId: string,
  after?: string,
): Promise<SessionReader> {
  let outgoing: ClientRequest | undefined;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing = request(
      {
        ...{
          port,
          host: "127.0.0.1",
          path: `/v1/sessions/${encodeURIComponent(sessionId)}/stream`,
          agent: false,
        },
        headers: { authorization: `Bearer ${token}`, ...(after !== undefined && { "last-event-id": after }) },
      },
      resolve,
    );
    outgoing.on("error", reject).end();
  });
  let text = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  response.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => {
    response.once("close", resolve);
  });
  const events: SessionReader["events"] = () =>
    [...text.matchAll(/^id: (\S+)\ndata: (.*)\n\n/gm)].map(([, id = "", data = ""]) => ({
      id,
      event: JSON.parse(data),
    }));
  return {
    status: response.statusCode ?? 0,
    response,
    text: () => text,
    events,
    find: (wanted) => until(() => events().find(({ event }) => wanted(event))),
    ended,
    hangUp: () => void outgoing?.destroy(),
  };
}
