// The way to the inbox of a signed-in person. The server cannot know who opens its root: the cookie counts below a
// secret path only (docs/decisions/0014). This browser remembers that path, for pages of this origin alone; without the
// cookie it opens nothing.

import { isRecord } from "../../core/index.js";

const KEY = "askline.home";

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

/** Opens the inbox of the person who is signed in here; false if nobody is. */
export async function openHome(base: string): Promise<boolean> {
  const path = rememberedPath();
  if (path === undefined || path === base) return false;
  try {
    const response = await fetch(`${path}/v1/server`, { headers: { accept: "application/json" } });
    if (response.status === 401) forgetHome();
    if (!response.ok) return false;
  } catch {
    return false;
  }
  const [wanted = "/"] = /\/(?:chat|asks)\/[^/]+$|\/(?:history|devices)$/.exec(location.pathname) ?? [];
  location.replace(`${path}${wanted}`);
  return true;
}

function rememberedPath(): string | undefined {
  try {
    const home: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    // Only our own paths: `//elsewhere` would lead to another site.
    return isRecord(home) && typeof home.path === "string" && /^(\/[\w.~-]+)*\/i\/[\w-]+$/.test(home.path)
      ? home.path
      : undefined;
  } catch {
    return undefined;
  }
}
