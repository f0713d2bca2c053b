// The asks of this machine's agent, at whichever local server runs: one that stopped or was killed is started again, and
// a call that waits goes on at the new one.

import type { Client } from "../../client/connect.js";
import { connect } from "../../client/local-server.js";
import type { Logger } from "../../core/kit/logger.js";
import { AsklineError } from "../../core/model/error.js";
import { abortReason } from "../../core/rules/abort.js";
import type { LocalServer } from "./background.js";
import { serverFetch } from "./server-fetch.js";

type Port = Pick<Client, "post" | "wait" | "get" | "list" | "withdraw" | "undelivered" | "report">;

export interface LocalPort extends Port {
  close(): Promise<void>;
}

interface Connection {
  readonly server: LocalServer;
  readonly client: Client;
  /** Aborts when another server has taken its place. */
  readonly replaced: AbortController;
}

/** How long a call is retried before a server is looked for or started again. */
const RETRY_MS = 1_000;

export function createLocalPort(ensure: () => Promise<LocalServer>, data: string, logger: Logger): LocalPort {
  let current: Promise<Connection> | undefined;
  let renewing: Promise<Connection> | undefined;

  const open = async (before: Connection | undefined): Promise<Connection> => {
    const server = await ensure();
    if (before?.server.url === server.url && before.server.credentials.agent === server.credentials.agent) {
      return before;
    }
    const own: Logger = {
      // An outage: the server was stopped or killed.
      warn: () => void renew(current).catch((error: unknown) => logger.warn(String(error))),
      error: (...parts) => logger.error(...parts),
    };
    const { url, credentials } = server;
    const client = connect({
      ...{ url, token: credentials.agent, surface: "mcp", retryForMs: RETRY_MS, logger: own },
      fetch: serverFetch(data, url),
    });
    before?.replaced.abort();
    void before?.client.close();
    return { server, client, replaced: new AbortController() };
  };
  const renew = (from: Promise<Connection> | undefined): Promise<Connection> => {
    renewing ??= (async () => {
      try {
        const opening = open(await from?.catch(() => undefined));
        current = opening;
        return await opening;
      } catch (error) {
        current = undefined;
        throw error;
      } finally {
        renewing = undefined;
      }
    })();
    return renewing;
  };
  const connection = (): Promise<Connection> => current ?? renew(undefined);

  /** Runs a call; if its server is gone, once more at the next one. */
  const run = async <T>(task: (client: Client) => Promise<T>): Promise<T> => {
    const first = await connection();
    try {
      return await task(first.client);
    } catch (error) {
      const gone =
        error instanceof AsklineError && ["unreachable", "closed", "unauthorized"].includes(error.code);
      if (!gone) throw error;
      return task((await renew(current)).client);
    }
  };

  return {
    post(request) {
      // The same key in both attempts: the first may have been stored.
      const key = request.key ?? crypto.randomUUID();
      return run((client) => client.post({ ...request, key }));
    },
    get: (...call) => run((client) => client.get(...call)),
    list: (...call) => run((client) => client.list(...call)),
    withdraw: (...call) => run((client) => client.withdraw(...call)),
    report: (...call) => run((client) => client.report(...call)),
    undelivered: (...call) => run((client) => client.undelivered(...call)),
    async wait(id, { signal } = {}) {
      for (;;) {
        const { client, replaced } = await connection();
        const either = signal === undefined ? replaced.signal : AbortSignal.any([signal, replaced.signal]);
        try {
          return await client.wait(id, { signal: either });
        } catch (error) {
          if (signal?.aborted) throw abortReason(signal);
          const moved = replaced.signal.aborted || (error instanceof AsklineError && error.code === "closed");
          if (!moved) throw error;
        }
      }
    },
    async close() {
      await (await current?.catch(() => undefined))?.client.close();
    },
  };
}
