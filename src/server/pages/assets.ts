// The script of the pages, its icons, the service worker and the manifest. The build writes them to `dist/web/pages`,
// with a hash in each name, so browsers keep them for ever. Without that folder the pages have no script, and work.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { AsklineError } from "../../core/index.js";
import type { PlainReply, Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Endpoint, Route } from "../routing/call.js";
import { PRODUCT } from "./words.js";

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
};
const WORKER = "worker.js";

interface Asset {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
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
      "dist/web/pages",
    );
    return new Map(
      readdirSync(folder).flatMap((name) => {
        const extension = name.split(".").at(-1) ?? "";
        const type = TYPES[extension];
        if (type === undefined) return [];
        const bytes = new Uint8Array(readFileSync(join(folder, name)));
        return [[name, { type, body: extension === "png" ? bytes : new TextDecoder().decode(bytes) }]];
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

function operation(id: string, summary: string, type: string): Operation {
  return { id, summary, responses: { 200: { description: "The file.", type } }, errors: ["not_found"] };
}

export const assetRoutes: readonly Route[] = [
  route("/assets/{file}", operation("pageAsset", "A file of the pages: a script or an icon", "*/*"), (call) =>
    asset(call.param("file")),
  ),
  route(
    "/worker.js",
    operation("pageWorker", "The service worker of the pages", "text/javascript"),
    async () => worker(),
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

async function asset(name: string): Promise<Reply> {
  const found = name === WORKER ? undefined : assets().get(name);
  if (found === undefined) throw new AsklineError("not_found", "no such file");
  return {
    status: 200,
    headers: {
      "content-type": found.type,
      "cache-control": "public, max-age=31536000, immutable",
      ...NO_SNIFF,
    },
    body: found.body,
  };
}

/** The worker keeps the files whose names are written before it. */
function worker(): PlainReply {
  const found = assets().get(WORKER);
  if (found === undefined) throw new AsklineError("not_found", "this server was built without its pages");
  const files = [...assets().keys()].filter((name) => name !== WORKER);
  return {
    status: 200,
    headers: {
      "content-type": TYPES.js ?? "",
      "cache-control": "no-cache",
      "content-security-policy": "default-src 'none'; connect-src 'self'",
      ...NO_SNIFF,
    },
    body: `self.FILES = ${JSON.stringify(files)};\n${found.body as string}`,
  };
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
      background_color: "#f4f5f7",
      theme_color: "#2251cc",
      icons: [...icon(192, "any"), ...icon(512, "any"), ...icon(512, "maskable")],
    }),
  };
}
