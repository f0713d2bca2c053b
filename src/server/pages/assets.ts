// The script of the pages, its icons, the service worker and the manifest. The build writes them to `dist/people/web/pages`,
// with a hash in each name, so browsers keep them for ever, and text gzipped. Without that folder the pages have no
// script, and say so.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { AsklineError } from "../../core/model/error.js";
import { COLOURS, ON_PAGE } from "../../core/text/colours.js";
import { sha256 } from "../../hub/seam/sha256.js";
import { takesGzip } from "../http/gzip.js";
import type { PlainReply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Endpoint, Route } from "../routing/call.js";
import { PRODUCT } from "./words.js";

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
};
const WORKER = "worker.js";

interface Asset {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer> | undefined;
  /** SHA-256 of the body, in base64. */
  readonly digest: string;
}

let read: ReadonlyMap<string, Asset> | undefined;

function assets(): ReadonlyMap<string, Asset> {
  read ??= readAssets();
  return read;
}

/** Found by the package's own name, which works wherever a bundle puts this file. */
function readAssets(): ReadonlyMap<string, Asset> {
  try {
    const folder = join(
      dirname(createRequire(import.meta.url).resolve("askline/package.json")),
      "dist/people/web/pages",
    );
    return new Map(
      readdirSync(folder).flatMap((file) => {
        const name = file.replace(/\.gz$/, "");
        const type = TYPES[name.split(".").at(-1) ?? ""];
        if (type === undefined) return [];
        const stored = new Uint8Array(readFileSync(join(folder, file)));
        const gzip = file === name ? undefined : stored;
        const body = gzip === undefined ? stored : new Uint8Array(gunzipSync(gzip));
        return [[name, { type, body, gzip, digest: sha256(body, "base64") }]];
      }),
    );
  } catch {
    return new Map();
  }
}

/** The name of a file, by its name before the hash; undefined if it was not built. */
export function assetNamed(name: string, extension: string): string | undefined {
  const pattern = new RegExp(`^${name}-[A-Z0-9]{8}\\.${extension}$`);
  return [...assets().keys()].find((file) => pattern.test(file));
}

/** Where the pages load files from: not below a person's own path, so that neither the cookie nor the key is sent. */
export function assetsPath(base: string): string {
  return `${base.replace(/\/i\/[\w-]+$/, "")}/assets`;
}

/**
 * The import map of a page with the digest of each script: parts are loaded later, when another program may have taken
 * the port, and a browser runs no other script under these names.
 */
export function importMap(base: string): string {
  const scripts = [...assets()].filter(([name]) => name.endsWith(".js") && name !== WORKER);
  const integrity = scripts.map(([name, { digest }]) => [`${assetsPath(base)}/${name}`, `sha256-${digest}`]);
  return JSON.stringify({ integrity: Object.fromEntries(integrity) }).replaceAll("<", "\\u003c");
}

function operation(id: string, summary: string, type: string): Operation {
  const responses = {
    200: { description: "The file, gzipped if the request accepts that.", type },
    304: { description: "The file has not changed." },
  };
  return { id, summary, responses, errors: ["not_found"] };
}

export const assetRoutes: readonly Route[] = [
  route(
    "/assets/{file}",
    operation("pageAsset", "A file of the pages: a script or an icon", "*/*"),
    async (call) => asset(call),
  ),
  route(
    "/worker.js",
    operation("pageWorker", "The service worker of the pages", "text/javascript"),
    async (call) => worker(call),
  ),
  route(
    "/manifest.webmanifest",
    operation("pageManifest", "What a browser needs to install the inbox", "application/manifest+json"),
    async () => manifest(),
  ),
];

function route(path: string, about: Operation, handle: Endpoint): Route {
  return { path, methods: { GET: { about, handle } } };
}

const NO_SNIFF = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin" };

function asset(call: Call): PlainReply {
  const name = call.param("file");
  const found = name === WORKER ? undefined : assets().get(name);
  if (found === undefined) throw new AsklineError("not_found", "no such file");
  return fileReply(call, found, { "cache-control": "public, max-age=31536000, immutable" });
}

function worker(call: Call): PlainReply {
  const found = assets().get(WORKER);
  if (found === undefined) throw new AsklineError("not_found", "this server was built without its pages");
  const policy = "default-src 'none'; connect-src 'self'";
  return fileReply(call, found, { "cache-control": "no-cache", "content-security-policy": policy });
}

function fileReply(
  { request }: Call,
  { type, body, gzip, digest }: Asset,
  more: Readonly<Record<string, string>>,
): PlainReply {
  // Weak: the same for both encodings.
  const etag = `W/"${digest}"`;
  const headers = { "content-type": type, etag, vary: "accept-encoding", ...more, ...NO_SNIFF };
  if (request.headers.get("if-none-match")?.includes(etag) === true)
    return { status: 304, headers, body: "" };
  if (gzip === undefined || !takesGzip(request.headers)) return { status: 200, headers, body };
  return { status: 200, headers: { ...headers, "content-encoding": "gzip" }, body: gzip };
}

function manifest(): PlainReply {
  const icon = (size: number, purpose: string): object[] => {
    const name = assetNamed(`icon-${size}`, "png");
    return name === undefined
      ? []
      : [{ src: `assets/${name}`, sizes: `${size}x${size}`, type: "image/png", purpose }];
  };
  return {
    status: 200,
    headers: { "content-type": "application/manifest+json", "cache-control": "no-cache", ...NO_SNIFF },
    body: JSON.stringify({
      name: PRODUCT,
      short_name: PRODUCT,
      // Relative to this file, and so below the person's own path.
      id: "./",
      start_url: "./",
      scope: "./",
      display: "standalone",
      background_color: ON_PAGE.page[0],
      theme_color: COLOURS.accent[0],
      icons: [...icon(192, "any"), ...icon(512, "any"), ...icon(512, "maskable")],
    }),
  };
}
