// The service worker of a person's pages, below their own path. It keeps the files of the pages and an empty inbox, and
// shows that when the server cannot be reached. It keeps nothing that an agent or a person wrote.
//
// The server writes the names of the files before this: `self.FILES`.

import { handleNotifications } from "./notify-worker.js";
import { afterProof, rootOf } from "./server-proof.js";

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const worker = self as unknown as Parameters<typeof handleNotifications>[0] & {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
};

const base = new URL("./", worker.location.href).href;
const SHELL = `${base}shell`;
// Not below a person's own path: neither the cookie nor the key is sent with it.
const ASSETS = `${rootOf(base)}/assets/`;
// A path belongs to one person; two people in one browser do not share what is kept.
const NAME = `askline ${base}`;

handleNotifications(worker, base, async () => {
  const [, proof] = /data-proof="([^"]+)"/.exec((await (await kept(SHELL))?.text()) ?? "") ?? [];
  return afterProof(base, proof);
});

worker.addEventListener("install", (event) => {
  (event as WorkerEvent).waitUntil(install());
});

async function install(): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.add(new Request(SHELL, { cache: "reload" }));
  await Promise.all(worker.FILES.map((file) => cache.add(`${ASSETS}${file}`)));
  await worker.skipWaiting();
}

worker.addEventListener("activate", (event) => {
  (event as WorkerEvent).waitUntil(activate());
});

/** Files of older versions go. */
async function activate(): Promise<void> {
  const cache = await caches.open(NAME);
  const wanted = new Set([SHELL, ...worker.FILES.map((file) => `${ASSETS}${file}`)]);
  for (const { url } of await cache.keys()) if (!wanted.has(url)) await cache.delete(url);
  await worker.clients.claim();
}

worker.addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  if (request.method !== "GET") return;
  if (request.url.startsWith(ASSETS)) (event as FetchEvent).respondWith(file(request));
  else if (request.mode === "navigate" && request.url.startsWith(base))
    (event as FetchEvent).respondWith(page(request));
});

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const shell = await kept(SHELL);
    if (shell === undefined) throw error;
    return shell;
  }
}

async function file(request: Request): Promise<Response> {
  return (await kept(request)) ?? fetch(request);
}

async function kept(request: Request | string): Promise<Response | undefined> {
  return (await caches.open(NAME)).match(request);
}
