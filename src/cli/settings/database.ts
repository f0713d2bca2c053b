import { isAbsolute, join, resolve } from "node:path";

/** Where asks are stored, parsed from `--db`. */
export type Database =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string }
  | { readonly kind: "memory" };

export const DATABASE_FORMS = "sqlite:PATH, postgres://… or memory:";

/** Undefined if the text does not name a store. */
export function parseDatabase(
  text: string,
  { folder, home }: { readonly folder: string; readonly home: string },
): Database | undefined {
  if (/^memory:?$/.test(text)) return { kind: "memory" };
  if (/^postgres(ql)?:\/\//.test(text)) return { kind: "postgres", url: text };
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(text)?.[1];
  if (path === undefined || path === ":memory:") return undefined;
  return { kind: "sqlite", path: resolvePath(path, { folder, home }) };
}

/** A path from a setting. Expands `~/`, since no shell expands it inside `sqlite:~/x`. */
export function resolvePath(
  path: string,
  { folder, home }: { readonly folder: string; readonly home: string },
): string {
  if (path === "~" || path.startsWith("~/")) return join(home, path.slice(1));
  return isAbsolute(path) ? path : resolve(folder, path);
}

/** The store without its password, for messages. */
export function describeDatabase(database: Database): string {
  switch (database.kind) {
    case "memory":
      return "memory: (nothing is kept when the server stops)";
    case "sqlite":
      return `sqlite:${database.path}`;
    case "postgres": {
      if (!URL.canParse(database.url)) return "postgres:";
      const { username, host, pathname } = new URL(database.url);
      return `postgres://${username === "" ? "" : `${username}@`}${host}${pathname}`;
    }
  }
}
