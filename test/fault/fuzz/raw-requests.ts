// What no client of node:http sends: broken request lines, headers, lengths and chunks, bodies that stop, and
// upgrades that are none.

import { pick, type Random, randomOf } from "../../support/random.ts";
import type { World } from "./world.ts";

export interface RawRequest {
  readonly name: string;
  /** Sent one after the other. */
  readonly parts: readonly (string | Buffer)[];
  /** Whether the connection is cut off behind them; otherwise it is ended in order, and read to its end. */
  readonly cut: boolean;
}

interface Scene {
  readonly random: Random;
  /** A line with a credential that counts. */
  readonly authorization: string;
}

type Make = (scene: Scene) => readonly (string | Buffer)[];

const HOST = "Host: localhost\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
const BODY = JSON.stringify({ questions: [{ question: "Why?" }], session: "raw" });
const KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

const get = (line: string, headers: string): string => `${line}\r\n${headers}\r\n`;
const post = (
  authorization: string,
  headers: string,
  body: string | Buffer = BODY,
): readonly (string | Buffer)[] => [
  `POST /v1/asks HTTP/1.1\r\n${HOST}${authorization}${JSON_TYPE}${headers}\r\n`,
  body,
];
const upgrade = (path: string, { authorization }: Scene, headers: string): readonly string[] => [
  `GET ${path} HTTP/1.1\r\n${HOST}${authorization}Connection: Upgrade\r\n${headers}\r\n`,
];

const LINES = [
  ...["GET / HTTP/0.9", "GET / HTTP/1.0", "GET / HTTP/1.2", "GET / HTTP/9.9", "GET /", "get / HTTP/1.1"],
  ...[
    "BREW /v1/asks HTTP/1.1",
    "TRACE / HTTP/1.1",
    "OPTIONS * HTTP/1.1",
    "PRI * HTTP/2.0",
    "CONNECT a:1 HTTP/1.1",
  ],
  ...["GET http://evil.example/v1/asks HTTP/1.1", "GET //evil.example/ HTTP/1.1", "GET \\v1\\asks HTTP/1.1"],
  ...[
    "GET /v1/asks/\u0000 HTTP/1.1",
    "GET /a b HTTP/1.1",
    "GET /\u00ff\u00fe HTTP/1.1",
    "GET  / HTTP/1.1",
    "GET ? HTTP/1.1",
  ],
  ...[
    "GET http://[::1/ HTTP/1.1",
    "GET http:/// HTTP/1.1",
    "GET /#x HTTP/1.1",
    `GET /${"x".repeat(30_000)} HTTP/1.1`,
  ],
];
const HEADERS = [
  ...[
    "",
    "Host:\r\n",
    `${HOST}Host: evil.example\r\n`,
    "Host: a b\r\n",
    "Host: \u00ff\r\n",
    `Host: ${"x".repeat(9_000)}\r\n`,
  ],
  ...[
    `${HOST}No colon\r\n`,
    `${HOST}Bad name: x\r\n`,
    `${HOST}X: a\r\n folded\r\n`,
    `${HOST}X: \u0000\r\n`,
    `${HOST}: x\r\n`,
  ],
  ...[`${HOST}X: a\rSet-Cookie: b\r\n`, `${HOST}X: y\n`, `${HOST}X-Large: ${"x".repeat(20_000)}\r\n`],
  ...[`${HOST}${"X: y\r\n".repeat(1_500)}`, `${HOST}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n`],
  ...[
    `${HOST}Expect: 100-continue\r\n`,
    `${HOST}Expect: the unexpected\r\n`,
    `${HOST}Connection: close, x, \r\n`,
  ],
  ...[
    `${HOST}Content-Length: 5\r\nContent-Length: 6\r\n`,
    `${HOST}Content-Length: -1\r\n`,
    `${HOST}Content-Length: x\r\n`,
  ],
];
const CHUNKS = [
  "zz\r\n",
  "-1\r\n",
  "ffffffffffffffff\r\nx",
  "5\r\nab",
  "5;\u0000\r\nabcde\r\n0\r\n\r\n",
  "\r\n\r\n",
  "0\r\n",
  "5\nabcde",
];

const CASES: Readonly<Record<string, Make>> = {
  "a broken line": ({ random, authorization }) => [get(pick(LINES, random), HOST + authorization)],
  "broken headers": ({ random, authorization }) => [
    get("GET /v1/asks HTTP/1.1", pick(HEADERS, random) + authorization),
  ],
  noise: ({ random }) => [Buffer.from(Array.from({ length: 300 }, () => Math.floor(random() * 256)))],
  "a TLS greeting": () => [Buffer.from("16030100c8010000c40303", "hex"), Buffer.alloc(190, 7)],
  nothing: () => [],
  "half a line": () => ["GET /v1/as"],
  "broken chunks": ({ random, authorization }) =>
    post(authorization, "Transfer-Encoding: chunked\r\n", pick(CHUNKS, random)),
  "a coding that nobody knows": ({ authorization }) =>
    post(authorization, "Transfer-Encoding: gzip, rot13\r\n"),
  "two lengths": ({ authorization }) =>
    post(authorization, `Content-Length: ${BODY.length}\r\nTransfer-Encoding: chunked\r\n`),
  "a body that is too short": ({ authorization }) =>
    post(authorization, `Content-Length: ${BODY.length + 9}\r\n`),
  "a body that is too long": ({ authorization }) =>
    post(authorization, `Content-Length: ${BODY.length - 9}\r\n`),
  "a length of a gigabyte": ({ authorization }) => post(authorization, "Content-Length: 1000000000\r\n"),
  "a slow end": ({ authorization }) => {
    const [head = "", body = ""] = post(authorization, `Content-Length: ${BODY.length}\r\n`);
    return [
      head,
      ...(String(body)
        .match(/.{1,9}/gs)
        ?.slice(0, 8) ?? []),
    ];
  },
  "one behind the other": ({ random, authorization }) => [
    ...Array.from({ length: 5 }, () => get("GET /v1/asks?limit=1 HTTP/1.1", HOST + authorization)),
    get(pick(LINES, random), HOST),
  ],
  "no such upgrade": (scene) =>
    upgrade(
      pick(["/", "/v1/asks", "/v1/gateway", "/v1/sessions/raw/stream", "/%zz"], scene.random),
      scene,
      `Upgrade: ${pick(["h2c", "", "websocket", "WebSocket, x"], scene.random)}\r\n`,
    ),
  "a broken greeting of a WebSocket": (scene) =>
    upgrade(
      pick(
        [
          "/v1/gateway",
          "/v1/gateway?role=x",
          "/v1/gateway?timeoutMs=-1",
          "/v1/sessions/%00/stream",
          "/v1/sessions/%zz/stream",
        ],
        scene.random,
      ),
      scene,
      `Upgrade: websocket\r\n${pick([KEY, "", "Sec-WebSocket-Key: x\r\n"], scene.random)}Sec-WebSocket-Version: ${pick(["13", "8", "x", ""], scene.random)}\r\n${pick(["", "Sec-WebSocket-Protocol: ,,\r\n", "Sec-WebSocket-Protocol: askline.token.x\r\n", "Sec-WebSocket-Extensions: ;;=\r\n"], scene.random)}`,
    ),
};

export function planRaw(world: World, seed: number): RawRequest {
  const random = randomOf(seed);
  const { agent, person, admin } = world.tokens;
  const authorization =
    random() < 0.8 ? `Authorization: Bearer ${pick([agent, person, admin], random)}\r\n` : "";
  const [name, make] = pick(Object.entries(CASES), random);
  return { name, parts: make({ random, authorization }), cut: random() < 0.15 };
}
