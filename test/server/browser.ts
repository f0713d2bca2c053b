import type { OpenServer } from "./open-server.ts";

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

/**
 * What a browser would do without script: keeps the cookie, sends forms, follows redirects. Once signed in, paths are
 * those below the person's inbox.
 */
export interface Browser {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Shown>;
  /** Sends a form; `headers` may pretend that it came from elsewhere. */
  submit(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Shown>;
  cookie: string | undefined;
  /** The path that the cookie is for, `/i/KEY`; empty before signing in. */
  base: string;
}

export function browser({ url }: Pick<OpenServer, "url">): Browser {
  const load = async (path: string, init: RequestInit = {}): Promise<Shown> => {
    const headers = new Headers(init.headers);
    headers.set("accept", "text/html,*/*");
    if (self.cookie !== undefined) headers.set("cookie", `other=1; ${self.cookie}`);
    const response = await fetch(new URL(path, url), { ...init, headers, redirect: "manual" });
    const set = response.headers.getSetCookie()[0]?.split(";")[0];
    if (set !== undefined) {
      self.cookie = set.endsWith("=") ? undefined : set;
      self.base = /; Path=(\/i\/[^;]+)/.exec(response.headers.getSetCookie()[0] ?? "")?.[1] ?? "";
      if (self.cookie === undefined) self.base = "";
    }
    const location = response.headers.get("location");
    if (response.status === 303 && location !== null) return load(location);
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  const at = (path: string): string =>
    /^http|^\/(a|i)\/|^\/login/.test(path) ? path : `${self.base}${path}`;
  const self: Browser = {
    cookie: undefined,
    base: "",
    get: (path, headers) => load(at(path), headers === undefined ? {} : { headers }),
    submit(path, fields, headers = { origin: "null", "sec-fetch-site": "same-origin" }) {
      const body = new URLSearchParams();
      for (const [name, value] of Object.entries(fields)) {
        for (const one of typeof value === "string" ? [value] : value) body.append(name, one);
      }
      return load(at(path), { method: "POST", body, headers });
    },
  };
  return self;
}

/** A browser in which a person has opened the link to their inbox. */
export async function signedIn(open: OpenServer, person = "ana"): Promise<Browser> {
  const { code } = await open.auth.createInboxCode(person);
  const own = browser(open);
  await own.submit("/login", { code });
  return own;
}
