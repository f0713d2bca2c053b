// The app-server's own kind of JSON-RPC: requests and responses in both directions, without a version field.

import type { Clock } from "../../core/kit/clock.js";
import { isRecord } from "../../core/kit/json.js";

type Fields = Readonly<Record<string, unknown>>;

/** A connection to an app-server: its standard input and output, or a WebSocket. */
export interface CodexConnection {
  /** One message each, as JSON text. Ends with the connection. */
  readonly messages: AsyncIterable<string>;
  send(message: string): void;
  close(): void;
}

interface Calls {
  /** Sends a request. Rejects with Codex's error, after ten seconds, or when the signal aborts. */
  call(method: string, params: object): Promise<Fields>;
  send(message: object): void;
  /** Takes a response to one of the requests. */
  take(message: Fields): void;
}

const CALL_MS = 10_000;

export function createCalls(connection: CodexConnection, signal: AbortSignal, clock: Clock): Calls {
  const waiting = new Map<unknown, (message: Fields) => void>();
  let count = 0;
  const send = (message: object): void => connection.send(JSON.stringify(message));
  return {
    send,
    call(method, params) {
      count += 1;
      const id = `askline-${count}`;
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          cancel();
          reject(new Error("the connection has ended"));
        };
        signal.addEventListener("abort", onAbort, { once: true });
        const cancel = clock.schedule(CALL_MS, () => {
          signal.removeEventListener("abort", onAbort);
          waiting.delete(id);
          reject(new Error(`no response to ${method} within ${CALL_MS / 1_000} s`));
        });
        waiting.set(id, ({ result, error }) => {
          cancel();
          signal.removeEventListener("abort", onAbort);
          if (isRecord(error)) reject(new Error(`${method}: ${String(error.message)}`));
          else resolve(isRecord(result) ? result : {});
        });
        send({ id, method, params });
      });
    },
    take(message) {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    },
  };
}
