// The servers that a client may use. All requests go to one of them while it is good; a failure moves on to
// the next, once, however many requests failed with it.

import { AsklineError } from "../core/index.js";

export interface Endpoints {
  readonly count: number;
  /** The base URL to use now, without a slash at its end. */
  current(): string;
  /** This one failed: the next is used, unless somebody has moved on already. */
  failed(url: string): void;
}

export function createEndpoints(urls: readonly (string | URL)[]): Endpoints {
  const bases = urls.map(baseOf);
  let index = 0;
  const current = (): string => {
    const base = bases[index];
    if (base === undefined) throw new AsklineError("invalid_request", "connect needs a url");
    return base;
  };
  current();
  return {
    count: bases.length,
    current,
    failed(url) {
      if (url === current()) index = (index + 1) % bases.length;
    },
  };
}

function baseOf(given: string | URL): string {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new AsklineError("invalid_request", "a url must be absolute and start with http:// or https://");
  }
  // Not shown: what stands there is a secret in the wrong place.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new AsklineError(
      "invalid_request",
      `the url of ${url.host} must hold no user, query or fragment; give the token as token`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}
