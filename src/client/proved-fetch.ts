// A `fetch` that has the server prove itself before anything else is sent, and again after each lost connection: another
// program may have taken the port meanwhile. The proof is asked for without a cookie, a token or a secret path.
//
//   unproved --the answer to a nonce is right--> proved --a request fails, a stream ends, or it is too old--> unproved

import { isRecord, jsonOf } from "../core/kit/json.js";
import { randomId } from "./random-id.js";
import { readBody } from "./responses.js";

type Fetch = typeof globalThis.fetch;

export interface ServerProof {
  readonly id: string;
  readonly key: string;
  /** Addresses of the server: the proof names the one that it was reached at. */
  readonly addresses: readonly string[];
  /** For how long a proof counts while no request fails; for ever by default. */
  readonly maxAgeMs?: number | undefined;
  /** Whether it has just come from the server itself. */
  readonly isNew?: boolean | undefined;
}

/** Rejects as `fetch` does where nobody answers, if the server at `url` does not prove itself. */
export function provedFetch(fetch: Fetch, url: string, proof: ServerProof): Fetch {
  let proving = proof.isNew === true ? Promise.resolve(performance.now()) : undefined;
  const lost = (): void => {
    proving = undefined;
  };
  const proved = async (): Promise<void> => {
    const { maxAgeMs = Number.POSITIVE_INFINITY } = proof;
    proving ??= prove(fetch, url, proof).then(() => performance.now());
    if (performance.now() - (await proving) < maxAgeMs) return;
    proving = prove(fetch, url, proof).then(() => performance.now());
    await proving;
  };
  return async (input, init) => {
    try {
      await proved();
      const response = await fetch(input, init);
      // Others have no body worth watching, or, as a 204, may not have one.
      if (response.body === null || response.status !== 200) return response;
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
      return new Response(watched(response.body, lost, isStream), response);
    } catch (error) {
      if (init?.signal?.aborted !== true) lost();
      throw error;
    }
  };
}

/** The same body; reports that it broke, or, of a stream of events, that it ended. */
function watched(
  body: ReadableStream<Uint8Array>,
  lost: () => void,
  isStream: boolean,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        if (isStream) lost();
        controller.close();
      } catch (error) {
        lost();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const WITHIN_MS = 5_000;
const MOST_BYTES = 1_024;

async function prove(fetch: Fetch, url: string, { id, key, addresses }: ServerProof): Promise<void> {
  const nonce = randomId("nonce");
  const response = await fetch(`${url}/proof?id=${id}&nonce=${nonce}`, {
    credentials: "omit",
    redirect: "error",
    signal: AbortSignal.timeout(WITHIN_MS),
  });
  const body = response.ok ? jsonOf(await readBody(response, MOST_BYTES)) : undefined;
  const sent = isRecord(body) && typeof body.proof === "string" ? body.proof : "";
  const subtle = globalThis.crypto.subtle;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await subtle.importKey("raw", encode(key), algorithm, false, ["verify"]);
  for (const address of addresses) {
    if (await subtle.verify("HMAC", imported, bytesOf(sent), encode(`${nonce}\n${address}`))) return;
  }
  throw new TypeError(NOT_PROVED);
}

export const NOT_PROVED =
  "the program that listens there did not prove that it is your server, so nothing was sent to it; see what uses the port, then start your server again";

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  try {
    const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
