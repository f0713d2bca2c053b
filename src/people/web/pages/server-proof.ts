// Another program may take the port while the server is down. An open page sends no cookie and no secret path before the
// server has proved itself again, with what the page got when it was loaded.

import { provedFetch } from "../../../client/proved-fetch.js";

/** The server's own path: below it, a browser sends neither the cookie nor the key of an inbox. */
export function rootOf(base: string): string {
  return base.replace(/\/i\/[\w-]+\/?$/, "");
}

/**
 * A `fetch` for the server at `url`, with the proof of a page. With https, TLS is the proof; with plain http to another
 * machine, browsers offer no way to check one.
 */
export function afterProof(url: string, proof: string | undefined): typeof fetch {
  const usual: typeof fetch = (input, init) => fetch(input, init);
  const [id = "", key = "", address = ""] = proof?.split(" ") ?? [];
  if (key === "" || url.startsWith("https:") || globalThis.crypto?.subtle === undefined) return usual;
  return provedFetch(usual, rootOf(url), { id, key, addresses: [address], isNew: isFromServer() });
}

/** Whether this is a page that the server sent just now, and not the service worker. */
function isFromServer(): boolean {
  const [load] = performance.getEntriesByType("navigation");
  return load !== undefined && "workerStart" in load && load.workerStart === 0;
}
