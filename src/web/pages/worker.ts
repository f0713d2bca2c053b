// The service worker of a person's pages, below their own path. It keeps the files of the pages and an empty inbox, and
// shows that when the server cannot be reached. It keeps nothing that an agent or a person wrote.
//
// The server writes the names of the files before this: `self.FILES`.

import { handleNotifications } from "./notify-worker.js";

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
// A path belongs to one person; two people in one browser do not share what is kept.
const NAME = `askline ${base}`;

handleNotifications(worker, base);

worker.addEventListener("install", (event) => {
  (event as WorkerEvent).waitUntil(install());
});

async function install(): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.add(new Request(SHELL, { cache: "reload" }));
  await Promise.all(worker.FILES.map((file) => cache.add(`${base}assets/${file}`)));
  await worker.skipWaiting();
}

worker.addEventListener("activate", (event) => {
  (event as WorkerEvent).waitUntil(activate());
});

/** Files of older versions go. */
async function activate(): Promise<void> {
  const cache = await caches.open(NAME);
  const wanted = new Set([SHELL, ...worker.FILES.map((file) => `${base}assets/${file}`)]);
  for (const { url } of await cache.keys()) if (!wanted.has(url)) await cache.delete(url);
  await worker.clients.claim();
}

worker.addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  if (request.method !== "GET" || !request.url.startsWith(base)) return;
  if (request.mode === "navigate") (event as FetchEvent).respondWith(page(request));
  else if (request.url.startsWith(`${base}assets/`)) (event as FetchEvent).respondWith(file(request));
});

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(NAME)).match(SHELL);
    if (kept === undefined) throw error;
    return kept;
  }
}

async function file(request: Request): Promise<Response> {
  return (await (await caches.open(NAME)).match(request)) ?? fetch(request);
}
