import { type Agent, request } from "node:http";
import type { Socket } from "node:net";
import { WAIT_MS } from "../../support/limits.ts";
import type { Received } from "./judge.ts";
import type { PlannedRequest } from "./plan-request.ts";

/** How long a request that the server may hold is waited for, before its sender hangs up. */
const HANG_UP_MS = 250;

// A connection can break behind a response that came before its request was sent wholly: nobody's business then.
const watched = new WeakSet<Socket>();

export interface SendOptions {
  readonly agent: Agent;
  readonly port: number;
}

/**
 * Sends a request and reads its response, of a stream only how it begins. Undefined where the sender hung up,
 * or where a connection ended without an answer, which only a refused body may make it do.
 */
export function send(planned: PlannedRequest, { agent, port }: SendOptions): Promise<Received | undefined> {
  const { method, path, headers, body, mayHold } = planned;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        outgoing.destroy();
        if (mayHold) resolve(undefined);
        else reject(new Error(`no response within ${WAIT_MS} ms`));
      },
      mayHold ? HANG_UP_MS : WAIT_MS,
    );
    const done = (received: Received | undefined): void => {
      clearTimeout(timer);
      resolve(received);
    };
    const outgoing = request({ agent, host: "127.0.0.1", port, method, path, headers }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      const whole = (text: string): Received => ({ status, headers: received, body: text });
      if (String(received["content-type"]).startsWith("text/event-stream")) {
        done(whole(""));
        response.on("error", () => undefined);
        return void outgoing.destroy();
      }
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => done(whole(Buffer.concat(chunks).toString())));
      response.on("error", () => done(undefined));
    });
    outgoing.on("socket", (socket) => {
      if (watched.has(socket)) return;
      watched.add(socket);
      socket.on("error", () => undefined);
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      // A body that is refused while it is on its way can break the connection before the answer is read.
      const large = (body?.length ?? 0) > 100_000;
      if (large && (error.code === "EPIPE" || error.code === "ECONNRESET")) done(undefined);
      else if (mayHold) done(undefined);
      else {
        clearTimeout(timer);
        reject(error);
      }
    });
    outgoing.end(body);
  });
}
