import type { JsonObject } from "../kit/json.js";
import { LIMITS } from "../kit/limits.js";
import type { Model, Unfinished } from "../read/field.js";
import type { InputReader, Path } from "../read/input-reader.js";

/**
 * Where the outcome of an ask is sent. The URL and the headers are secrets: they are stored beside the ask, never in
 * it, so that no list, event, audit, export or log can contain them.
 */
export interface Callback {
  readonly url: string;
  /** Header names and texts to send along. */
  readonly headers?: JsonObject;
}

export const CALLBACK: Model<Callback> = {
  must: "an object with url",
  fields: {
    url: {
      kind: "text",
      max: LIMITS.callbackUrlLength,
      blank: ["invalid_value", "give the address to call"],
      about: "The address that the outcome is posted to.",
    },
    headers: {
      kind: "json",
      max: LIMITS.callbackHeadersLength,
      about: "Headers to send along, such as authorization.",
    },
  },
  check: checkCallback,
};

const NAME = /^[!#$%&'*+.^_`|~\w-]{1,128}$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Set by the delivery itself. */
const OWN =
  /^(host|connection|content-.*|transfer-.*|upgrade|te|trailer|expect|keep-.*|proxy-.*|webhook-.*)$/i;

/** The messages never repeat what was given: it is a secret. */
function checkCallback(
  { url, headers }: Unfinished<Callback>,
  _given: unknown,
  path: Path,
  reader: InputReader,
): void {
  if (url !== undefined && !isHttpUrl(url)) {
    reader.add("invalid_value", path, "must be an http or https address without a user", "url");
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (NAME.test(name) && !OWN.test(name) && typeof value === "string" && VALUE.test(value)) continue;
    reader.add(
      "invalid_value",
      path,
      "must be names that the server does not set, with one line each",
      "headers",
    );
  }
}

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) return false;
  return url.username === "" && url.password === "";
}
