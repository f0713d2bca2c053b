import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { AskEvent } from "../../src/index.js";
import { type OpenServer, until } from "./open-server.ts";

export interface EventReader {
  readonly status: number;
  /** Everything that came so far, as it came. */
  readonly text: () => string;
  /** The events that came so far. */
  readonly events: () => readonly AskEvent[];
  /** Resolves once so many events have come. */
  count(wanted: number): Promise<readonly AskEvent[]>;
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  readonly response: IncomingMessage;
  hangUp(): void;
}

/** Reads a stream of events over a connection of its own. */
export async function readEvents(
  { port }: Pick<OpenServer, "port">,
  token: string,
  query = "",
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  let outgoing: ClientRequest | undefined;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing = request(
      {
        ...{ port, host: "127.0.0.1", path: `/v1/events${query}`, agent: false },
        headers: { authorization: `Bearer ${token}`, ...headers },
      },
      resolve,
    );
    outgoing.on("error", reject).end();
  });
  let text = "";
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    text += chunk;
  });
  response.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => {
    response.once("close", resolve);
  });
  const events = (): readonly AskEvent[] =>
    [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data]) => JSON.parse(data ?? "") as AskEvent);
  return {
    status: response.statusCode ?? 0,
    text: () => text,
    events,
    count: (wanted) =>
      until(() => {
        const found = events();
        return found.length >= wanted ? found : undefined;
      }),
    ended,
    response,
    hangUp: () => void outgoing?.destroy(),
  };
}
