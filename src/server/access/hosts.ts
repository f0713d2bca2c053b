// Where this server is reached: its host names, its base path and the inbox paths below it. A foreign page whose name was
// pointed at this machine (DNS rebinding) sends its own name as Host, and is refused before anything else.

import { isIP } from "node:net";
import { AsklineError } from "../../core/model/error.js";

export interface HostOptions {
  /** Where people and agents reach this server from outside: behind a proxy, the proxy's URL. */
  readonly publicUrl?: string;
  /** Further names, with or without a port. */
  readonly allowedHosts?: readonly string[];
  /** The path below which everything is served, such as `/askline`; the root by default. */
  readonly basePath?: string;
}

export interface Hosts {
  /** The origin that a request was sent to, as its sender sees it. Throws `host_not_allowed`. */
  originOf(url: URL): string;
  /** The origin of links that are made outside of a request. */
  readonly publicOrigin: string | undefined;
  /** Precedes every path in a page or link: empty, or like `/askline`. */
  readonly base: string;
  /** The URL with its path below the base path and an inbox path; undefined for a path outside of the base path. */
  enter(url: URL): URL | undefined;
  /** The key of the inbox path, `/i/KEY/…`, below which every route can be reached with a cookie. */
  inboxKeyOf(url: URL): string | undefined;
}

/** Never before `//`, which a browser would take for another host. */
const INBOX_PATH = /^\/i\/([\w-]{22})\/(?!\/)/;

/** The path that a person's cookie is bound to, below the base path. */
export function inboxPath(key: string): string {
  return `/i/${key}`;
}

export function createHosts({ publicUrl, allowedHosts = [], basePath = "" }: HostOptions): Hosts {
  const base = parseBasePath(basePath);
  const publicly = publicUrl === undefined ? undefined : parsePublicUrl(publicUrl);
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const inboxKeyOf = ({ pathname }: URL): string | undefined =>
    pathname.startsWith(`${base}/i/`) ? INBOX_PATH.exec(pathname.slice(base.length))?.[1] : undefined;
  return {
    publicOrigin: publicly?.origin,
    base,
    enter(url) {
      const { pathname } = url;
      if (base !== "" && pathname !== base && !pathname.startsWith(`${base}/`)) return undefined;
      const inboxKey = inboxKeyOf(url);
      const outside = inboxKey === undefined ? base : base + inboxPath(inboxKey);
      if (outside === "") return url;
      const inner = new URL(url);
      inner.pathname = pathname.slice(outside.length);
      return inner;
    },
    inboxKeyOf,
    originOf(url) {
      if (publicly !== undefined && url.host === hostAs(url.protocol, publicly)) return publicly.origin;
      if (isOwnName(url.hostname) || allowed.has(url.hostname) || allowed.has(url.host)) return url.origin;
      throw new AsklineError(
        "host_not_allowed",
        "this server does not serve this host name; start it with that name as its public URL or as an allowed host",
      );
    },
  };
}

/** A TLS proxy forwards the request as `http:`, which has another default port. */
function hostAs(protocol: string, publicly: URL): string {
  return protocol === publicly.protocol || publicly.port !== "" ? publicly.host : publicly.hostname;
}

/**
 * Loopback names and IP addresses: nobody can point a number elsewhere. The port is not compared, because
 * tunnels and containers map it, and a foreign page cannot change the name that it sends.
 */
function isOwnName(hostname: string): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return true;
  return isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

function parseBasePath(text: string): string {
  const base = text.replace(/\/$/, "");
  if (base === "" || /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.test(base)) return base;
  throw new AsklineError(
    "invalid_request",
    `the base path "${text}" is not valid; use letters, digits, dots, dashes and underscores, like /askline`,
  );
}

function parsePublicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new AsklineError(
      "invalid_request",
      `the public URL "${text}" is not valid; use one like https://ask.example.com`,
    );
  }
  return url;
}

/** Whether only this machine can reach this host. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return address === "localhost" || address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}
