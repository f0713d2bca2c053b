// The folder that an agent works in, as the agent says it: nobody has verified it. It is a full path, compared exactly;
// its last part is a name for people. Everybody reads it here; adapters/relay/origin.ts writes it.

import type { JsonObject } from "../kit/json.js";
import { lastPart } from "../kit/tools.js";

/** Of this machine or another: `/home/ana/shop`, `C:\shop`, `\\server\shop`. */
const FULL_PATH = /^(\/|[A-Za-z]:[\\/]|\\\\[^\\])/;
const LONGEST = 4_096;

/** What is not a full path, such as the name of a folder, could be any of several: it says nothing. */
export function isFullPath(folder: unknown): folder is string {
  return (
    typeof folder === "string" &&
    folder.length <= LONGEST &&
    FULL_PATH.test(folder) &&
    !/\p{Cc}/u.test(folder)
  );
}

/** The full path of the folder; undefined if the ask names none. */
export function projectOf({ metadata }: { readonly metadata?: JsonObject }): string | undefined {
  return [metadata?.project, metadata?.cwd].find(isFullPath);
}

/** What a person calls the folder: the last part of its path, or whatever name the agent gives it. */
export function projectName(ask: { readonly metadata?: JsonObject }): string | undefined {
  const path = projectOf(ask);
  if (path !== undefined) return lastPart(path) ?? path;
  const { project, cwd } = ask.metadata ?? {};
  return [project, cwd].find((name): name is string => typeof name === "string" && name.trim() !== "");
}
