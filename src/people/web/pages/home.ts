// The way to the inbox of a signed-in person. The server cannot know who opens its root: the cookie counts below a
// secret path only (docs/decisions/0014). This browser remembers that path, for pages of this origin alone; without the
// cookie it opens nothing.

import { isRecord } from "../../../core/kit/json.js";

const KEY = "askline.home";

export interface Home {
  readonly path: string;
  readonly person: string;
}

export function rememberHome(path: string, person: string | undefined): void {
  if (person === undefined || path === "") return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ path, person }));
  } catch {
    // A browser that stores nothing needs the bookmark.
  }
}

export function forgetHome(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

/** The inbox of the person who is signed in here; undefined if nobody is. */
export async function findHome(base: string): Promise<Home | undefined> {
  const home = rememberedHome();
  if (home === undefined || home.path === base) return undefined;
  try {
    const response = await fetch(`${home.path}/v1/server`, { headers: { accept: "application/json" } });
    if (response.status === 401) forgetHome();
    return response.ok ? home : undefined;
  } catch {
    return undefined;
  }
}

export function rememberedHome(): Home | undefined {
  try {
    const home: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (!isRecord(home) || typeof home.path !== "string" || typeof home.person !== "string") return undefined;
    // Only our own paths: `//elsewhere` would lead to another site.
    return /^(\/[\w.~-]+)*\/i\/[\w-]+$/.test(home.path)
      ? { path: home.path, person: home.person }
      : undefined;
  } catch {
    return undefined;
  }
}
