// One HTTP request, wrong at any level that a client of node:http can still send. The same seed and world give
// the same request.

import { mutateJson } from "../../support/mutate-json.ts";
import { pick, type Random, randomOf } from "../../support/random.ts";
import { bodiesOf } from "./documents.ts";
import { pickAuthorization, type World } from "./world.ts";

export interface PlannedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  /** The server may take its time over it: a wait, or a stream. */
  readonly mayHold: boolean;
}

export interface Target {
  readonly path: string;
  readonly methods: readonly string[];
}

const IDS = [
  ...["%00", "%2e%2e", "%2F", "a%2Fb", "..", "%zz", "%", "%ff%fe", "ask_1", "%F0%9F%99%82", "%ED%A0%80"],
  ...[
    "a%0d%0aSet-Cookie:%20x=y",
    "%E2%80%AE",
    "__proto__",
    "x".repeat(129),
    "x".repeat(5_000),
    "'%20or%201=1",
  ],
];
const NUMBERS = ["0", "1", "-1", "1e9", "999999999999999", "9".repeat(40), "NaN", "1.5", "", "%00", "0x10"];
const WORDS = [
  "",
  "s1",
  "%00",
  "%ff",
  "x".repeat(300),
  "pending",
  "settled",
  "answered",
  "done",
  "__proto__",
];
const QUERY: Readonly<Record<string, readonly string[]>> = {
  wait: ["0", "1", "60", ...NUMBERS],
  limit: ["1", "50", "500", "501", ...NUMBERS],
  after: ["0", "1", "5", ...NUMBERS],
  order: ["oldest", "newest", ...WORDS],
  status: ["pending", ...WORDS],
  session: WORDS,
  agent: WORDS,
  code: WORDS,
  done: ["ask_1", ...WORDS],
  [`x%${"y".repeat(9)}`]: WORDS,
};
const TYPES = [
  ...[
    "text/plain",
    "application/json; charset=latin1",
    'application/json;charset="utf-8"',
    "",
    ";",
    "multipart/form-data",
  ],
  ...["application/x-www-form-urlencoded", "application/json", "x".repeat(2_000)],
];
const ORIGINS = ["null", "https://evil.example", "http://localhost", "file://", "%%", "http://127.0.0.1:1"];
const HOSTS = [
  "evil.example",
  "a:b@localhost",
  "localhost",
  "127.0.0.1:99999",
  "[::1",
  "%",
  "a".repeat(300),
  "10.0.0.7",
];
const METHODS = [
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "PURGE",
  "M-SEARCH",
];

export function planRequest(targets: readonly Target[], world: World, seed: number): PlannedRequest {
  const random = randomOf(seed);
  const target = pick(targets, random);
  const method = random() < 0.85 ? pick(target.methods, random) : pick(METHODS, random);
  const query = random() < 0.4 ? planQuery(random) : "";
  const isPage = PAGE.test(target.path);
  // Cookies count below the path of an inbox only.
  const base =
    random() < (isPage ? 0.8 : 0.1) ? `/i/${random() < 0.9 ? world.inboxKey : "k".repeat(22)}` : "";
  const path = `${base}${planPath(target.path, world, seed, random)}${query}`;
  const body = method === "GET" || method === "HEAD" ? undefined : planBody(target.path, seed, random);
  return {
    method,
    path,
    headers: planHeaders(target.path, world, method, body, random),
    ...(body !== undefined && { body }),
    mayHold: /[?&]wait=/.test(query) || /(events|stream)$/.test(target.path),
  };
}

const PAGE = /^\/($|asks|a\/|login|logout)/;

function planPath(route: string, world: World, seed: number, random: Random): string {
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (random() < 0.2) return pick(IDS, random);
    if (name === "link") return pick(world.links, random);
    // Sessions are read from their beginning: each is left behind before it gets long.
    if (route.includes("/sessions/")) return `fuzz-${Math.floor(seed / 2_000)}-${Math.floor(random() * 4)}`;
    return world.asks.length === 0 ? "ask_0" : pick(world.asks, random);
  });
  if (random() > 0.04) return path;
  return pick(
    [
      `/${path}`,
      `${path}/`,
      `${path}/../..`,
      `${path}//`,
      path.toUpperCase(),
      `${path}%20`,
      "/x".repeat(2_000),
    ],
    random,
  );
}

function planQuery(random: Random): string {
  const count = 1 + Math.floor(random() * 3);
  const pairs = Array.from({ length: count }, () => {
    const [name, values] = pick(Object.entries(QUERY), random);
    return `${name}=${pick(values, random)}`;
  });
  return `?${pairs.join(random() < 0.95 ? "&" : "&&=&?")}`;
}

function planBody(route: string, seed: number, random: Random): string | Buffer | undefined {
  const form = random();
  const bodies = bodiesOf(route);
  if (form < 0.08) return undefined;
  if (form < 0.12) return Buffer.from(Array.from({ length: 200 }, () => Math.floor(random() * 256)));
  if (form < 0.13) return `${"[".repeat(100_000)}`;
  if (form < 0.132) return "x".repeat(2_200_000);
  const document = form < 0.5 ? pick(bodies, random) : mutateJson(bodies, seed);
  return typeof document === "string" ? document : JSON.stringify(document);
}

function planHeaders(
  route: string,
  world: World,
  method: string,
  body: string | Buffer | undefined,
  random: Random,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  const sometimes = (share: number, name: string, value: () => string | string[]): void => {
    if (random() < share) headers[name] = value();
  };
  // Pages are for browsers: they come with a cookie, and say from where.
  const page = PAGE.test(route);
  sometimes(page ? 0.2 : 0.9, "authorization", () => pickAuthorization(world, random));
  sometimes(page ? 0.9 : 0.1, "cookie", () => pick([world.cookies[0] ?? "", ...world.cookies], random));
  sometimes(page ? 0.8 : 0, "sec-fetch-site", () => "same-origin");
  sometimes(0.05, "origin", () => pick([`http://127.0.0.1:${world.port}`, ...ORIGINS], random));
  sometimes(0.05, "sec-fetch-site", () => pick(["same-origin", "cross-site", "none", ""], random));
  sometimes(0.03, "host", () => pick(HOSTS, random));
  sometimes(0.1, "accept", () => pick(["text/html", "*/*", "application/json;q=x"], random));
  sometimes(0.1, "idempotency-key", () => pick(["", "k", "x".repeat(4_000), ...WORDS], random));
  sometimes(0.1, "askline-surface", () => pick(["pager", "a b", "x".repeat(65), "\u00e9"], random));
  sometimes(0.05, "last-event-id", () => pick(NUMBERS, random));
  sometimes(0.02, "x-twice", () => Array.from({ length: 90 }, (_, at) => `value ${at}`));
  // Where the headers are refused, that it was a HEAD is not known yet: its answer has a body, and must have one.
  sometimes(0.01, "x-large", () => "x".repeat(method === "HEAD" ? 9_000 : pick([9_000, 20_000], random)));
  sometimes(0.02, "x-forwarded-for", () => pick(["127.0.0.1", "1.2.3.4, x", "::"], random));
  if (body === undefined) return headers;
  headers["content-type"] =
    random() < 0.9 ? `application/${page ? "x-www-form-urlencoded" : "json"}` : pick(TYPES, random);
  return headers;
}
