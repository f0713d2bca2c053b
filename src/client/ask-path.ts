import { AsklineError } from "../core/index.js";

/** The path of one ask. An id that would lead elsewhere in a URL is the id of no ask. */
export function askPath(id: string, action?: string): string {
  if (!/^[^./\s\\][^/\s\\]*$/.test(id)) throw notFound(id);
  try {
    return `/v1/asks/${encodeURIComponent(id)}${action === undefined ? "" : `/${action}`}`;
  } catch {
    // Half a character cannot be encoded.
    throw notFound(id);
  }
}

function notFound(id: string): AsklineError {
  return new AsklineError("not_found", `there is no ask ${JSON.stringify(id)}`);
}
