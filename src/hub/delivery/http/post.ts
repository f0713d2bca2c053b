// Posts one message. Never follows a redirect, never waits longer than it may, reads at most a little of the response,
// and reports failures without the URL, which may be a secret.

import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { untilAborted } from "../../../core/rules/abort.js";
import { type Address, hostOf, isPrivate, type Resolve, systemResolve } from "./addresses.js";

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly method?: "POST" | "PUT";
  /** Whether private and loopback addresses may be called. */
  readonly allowPrivate: boolean;
  readonly resolve?: Resolve;
  readonly timeoutMs: number;
}

export type Posted =
  | { readonly kind: "response"; readonly status: number; readonly retryAfterMs?: number | undefined }
  | { readonly kind: "failed"; readonly reason: string }
  /** The address may not be called. */
  | { readonly kind: "refused"; readonly reason: string };

const MOST_READ = 65_536;
const LONGEST_RETRY_AFTER_MS = 3_600_000;

export async function post(message: Post): Promise<Posted> {
  const { url, allowPrivate, resolve = systemResolve, timeoutMs } = message;
  const signal = AbortSignal.timeout(timeoutMs);
  const host = hostOf(url);
  let addresses: readonly Address[];
  try {
    const version = isIP(host);
    addresses =
      version === 0
        ? await untilAborted(signal, resolve(host))
        : [{ address: host, family: version === 6 ? 6 : 4 }];
  } catch (error) {
    return { kind: "failed", reason: signal.aborted ? "its name was not resolved in time" : reasonOf(error) };
  }
  const [chosen] = addresses;
  if (chosen === undefined) return { kind: "failed", reason: "its name has no address" };
  const hasPrivate = addresses.some(({ address }) => isPrivate(address));
  if (hasPrivate && !allowPrivate) {
    return { kind: "refused", reason: "it resolves to a private address, which this server may not call" };
  }
  if (url.protocol === "http:" && !hasPrivate && !allowPrivate) {
    return { kind: "refused", reason: "a public address must be called with https" };
  }
  return send(message, chosen, signal);
}

function send(message: Post, { address, family }: Address, signal: AbortSignal): Promise<Posted> {
  const { url, headers, body, method = "POST" } = message;
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((settle) => {
    const failed = (error: unknown): void =>
      settle({ kind: "failed", reason: signal.aborted ? "no response in time" : reasonOf(error) });
    const sent = request(
      url,
      {
        method,
        headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
        agent: false,
        signal,
        // The address that was checked, whatever the name resolves to by now.
        lookup: (_name, options, found) =>
          options.all ? found(null, [{ address, family }]) : found(null, address, family),
      },
      (response) => {
        const status = response.statusCode ?? 0;
        const retryAfterMs = readRetryAfter(response.headers["retry-after"]);
        const done = (): void => {
          settle({ kind: "response", status, retryAfterMs });
          sent.destroy();
        };
        let read = 0;
        response.on("data", (chunk: Buffer) => {
          read += chunk.length;
          if (read > MOST_READ) done();
        });
        response.on("end", done);
        response.on("error", failed);
        response.on("aborted", () => failed(new Error("aborted")));
      },
    );
    sent.on("error", failed);
    sent.end(body);
  });
}

function readRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,6}$/.test(text)) return undefined;
  return Math.min(LONGEST_RETRY_AFTER_MS, Number(text) * 1_000);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was closed",
  EPIPE: "the connection was closed",
  ENOTFOUND: "its name cannot be resolved",
  ENODATA: "its name cannot be resolved",
  ESERVFAIL: "its name cannot be resolved now",
  ETIMEOUT: "its name was not resolved in time",
  EAI_AGAIN: "its name cannot be resolved now",
  ETIMEDOUT: "no response in time",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
};

/** The messages of Node name hosts and addresses, so only the code is used. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/CERT|TLS|SSL|SELF_SIGNED/.test(code)) return "its certificate is not valid";
  return REASONS[code] ?? "the connection was closed";
}
