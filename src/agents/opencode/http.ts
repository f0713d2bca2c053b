// Requests to an opencode server. It takes connections a moment before it answers them, and never answers what came in
// that moment; so each request has a limit, and is made again.

import { createBackoff } from "../../client/retries.js";
import { sleep } from "../../client/signals.js";
import type { Clock } from "../../core/kit/clock.js";
import { isRecord } from "../../core/kit/json.js";

export interface OpencodeHttp {
  /** The response of a GET, which may be a stream. */
  get(path: string): Promise<Response>;
  /** The JSON of a GET; throws with what to do if it was refused. */
  read(path: string): Promise<unknown>;
  /** Whether a GET finds something. */
  find(path: string): Promise<boolean>;
  /** Posts until opencode has taken or refused it. */
  send(path: string, body: object | undefined): Promise<Response>;
}

export interface HttpOptions {
  readonly url: string;
  /** The project of each request; empty for the folder that opencode was started in. */
  readonly directory: () => string;
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** How long opencode may take to begin a response. */
const GET_MS = 10_000;
const POST_MS = 60_000;

export function createHttp({ url, directory, authorization, signal, clock }: HttpOptions): OpencodeHttp {
  const call = async (path: string, limitMs: number, init: RequestInit = {}): Promise<Response> => {
    const target = new URL(`${url}${path}`);
    if (directory() !== "") target.searchParams.set("directory", directory());
    const limit = new AbortController();
    const cancel = clock.schedule(limitMs, () =>
      limit.abort(new Error(`no response to ${path} within ${limitMs / 1_000} s`)),
    );
    try {
      return await fetch(target, {
        ...init,
        headers: {
          "content-type": "application/json",
          ...(authorization !== undefined && { authorization }),
        },
        signal: AbortSignal.any([signal, limit.signal]),
      });
    } finally {
      cancel();
    }
  };
  const get = async (path: string): Promise<Response> => {
    const response = await call(path, GET_MS);
    if (response.ok) return response;
    throw new Error(
      response.status === 401
        ? "it wants a password; set OPENCODE_SERVER_PASSWORD"
        : `GET ${path} returned ${response.status}`,
    );
  };
  return {
    get,
    read: async (path) => (await get(path)).json(),
    async find(path) {
      const response = await call(path, GET_MS);
      await response.body?.cancel();
      return response.ok;
    },
    async send(path, body) {
      const pause = createBackoff(Math.random);
      const init = { method: "POST", ...(body !== undefined && { body: JSON.stringify(body) }) };
      for (;;) {
        const response = await call(path, POST_MS, init).catch((error: unknown) => {
          if (signal.aborted) throw error;
        });
        if (response !== undefined && response.status < 500) return response;
        await sleep(clock, pause.next(), signal);
      }
    },
  };
}

/**
 * Whether nothing listens any more where an opencode of this machine listened. False if that is not certain. Sends no
 * password: another program may listen there now.
 */
export async function hasEnded(url: string): Promise<boolean> {
  if (!URL.canParse(url) || !/^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(url).hostname)) return false;
  try {
    const response = await fetch(new URL("/path", url), { signal: AbortSignal.timeout(GET_MS) });
    await response.body?.cancel();
    return false;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return isRecord(cause) && (cause.code === "ECONNREFUSED" || cause.code === "ConnectionRefused");
  }
}
