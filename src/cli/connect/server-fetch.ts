// The `fetch` of every command: each connection to a server of the credentials file proves the server before the request
// goes out on the same connection. A program that took the port while the server was down gets only a nonce.

import { randomBytes, timingSafeEqual } from "node:crypto";
import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connect, type Socket, type TcpNetConnectOpts } from "node:net";
import { Readable } from "node:stream";
import { NOT_PROVED } from "../../client/proved-fetch.js";
import { isRecord, jsonOf } from "../../core/kit/json.js";
import { proofOf, reachedAddress } from "../../server/access/proof.js";
import { readCredentials } from "./credentials.js";

export type ServerFetch = typeof globalThis.fetch;

/** For a server elsewhere it is the usual `fetch`: https proves it, and for plain HTTP there is no secret. */
export function serverFetch(data: string, url: string): ServerFetch {
  return provingFetch(data, url) ?? globalThis.fetch;
}

/** The same without the time limit of `fetch` for a response that is held. */
export function patientFetch(data: string, url: string): ServerFetch {
  return provingFetch(data, url) ?? nodeFetch();
}

function provingFetch(data: string, url: string): ServerFetch | undefined {
  const known = readCredentials(data, url);
  if (known === undefined) return undefined;
  const { proof } = known;
  if (proof === undefined) return () => Promise.reject(new TypeError(TOO_OLD));
  const agent = new Agent({ keepAlive: true });
  // Node's types do not know that a connection may be made later.
  const proving = agent as unknown as { createConnection: CreateConnection };
  proving.createConnection = (options, ready) => {
    openProved(options, proof).then((socket) => ready(null, socket), ready);
  };
  return nodeFetch(agent);
}

type CreateConnection = (
  options: TcpNetConnectOpts,
  ready: (error: unknown, socket?: Socket) => void,
) => void;

export const TOO_OLD =
  'it was started by an older version of askline and cannot prove that it is your server, so nothing was sent to it; restart it: "askline stop" for one in the background, otherwise "askline serve" again';

const PROVE_WITHIN_MS = 5_000;
const MOST_BYTES = 4_096;

/** A connection on which the server has proved itself, and nothing else was sent. */
async function openProved({ host, port }: TcpNetConnectOpts, proof: string): Promise<Socket> {
  const [id = "", key = ""] = proof.split(".");
  const nonce = randomBytes(24).toString("base64url");
  const socket = connect({ host: host ?? "127.0.0.1", port, noDelay: true });
  // A connection that breaks before its request is seen by the request.
  socket.on("error", () => undefined);
  try {
    const name = host?.includes(":") ? `[${host}]` : host;
    socket.setTimeout(PROVE_WITHIN_MS, () => socket.destroy(new Error("no answer within 5 seconds")));
    socket.write(`GET /proof?id=${id}&nonce=${nonce} HTTP/1.1\r\nHost: ${name}:${port}\r\n\r\n`);
    const sent = await readProof(socket);
    const expected = proofOf(key, nonce, reachedAddress(socket.remoteAddress, socket.remotePort));
    if (sent.length !== expected.length || !timingSafeEqual(Buffer.from(sent), Buffer.from(expected))) {
      throw new TypeError(NOT_PROVED);
    }
    return socket.setTimeout(0);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Reads exactly one response, so that the connection can be used for another. Empty if it has no proof. */
function readProof(socket: Socket): Promise<string> {
  let text = "";
  return new Promise((resolve, reject) => {
    const done = (proof: string): void => {
      // Not paused: the request that gets this connection would wait for ever.
      socket.off("data", take).off("error", reject).off("end", none);
      resolve(proof);
    };
    const none = (): void => done("");
    const take = (chunk: Buffer): void => {
      text += chunk.toString("latin1");
      const [head = "", ...rest] = text.split("\r\n\r\n");
      const body = rest.join("\r\n\r\n");
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? Number.NaN);
      const isWrong = text.length > MOST_BYTES || (rest.length > 0 && !(body.length <= length));
      if (!isWrong && (rest.length === 0 || body.length < length)) return;
      const sent = isWrong ? undefined : jsonOf(body);
      done(isRecord(sent) && typeof sent.proof === "string" ? sent.proof : "");
    };
    socket.on("data", take).once("error", reject).once("end", none);
  });
}

/** `fetch` over node:http, as far as our client needs it: it follows no redirect. */
function nodeFetch(agent?: Agent): ServerFetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(String(input));
      const { method = "GET", headers, body, signal } = init;
      const request = url.protocol === "https:" ? requestHttps : requestHttp;
      const sent = request(url, {
        ...{ method, headers: Object.fromEntries(new Headers(headers)) },
        ...(agent !== undefined && { agent }),
        ...(signal && { signal }),
      });
      // As `fetch` does: the reason is the cause.
      sent.on("error", (cause) => reject(new TypeError("fetch failed", { cause })));
      sent.on("response", (incoming) => resolve(responseOf(incoming)));
      sent.end(body ?? undefined);
    });
}

const WITHOUT_BODY = [204, 205, 304];

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, headersDistinct } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  if (WITHOUT_BODY.includes(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(incoming) as ReadableStream, { status, headers });
}
