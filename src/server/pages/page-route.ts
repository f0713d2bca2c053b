// What the routes of the pages share: how they are described, and who looks at a page.

import { AsklineError } from "../../core/model/error.js";
import { requireSameOrigin } from "../access/browsers.js";
import type { Principal } from "../access/principal.js";
import { pageProof } from "../access/proof.js";
import type { Reply } from "../http/reply.js";
import type { Operation } from "../openapi/operation.js";
import type { Call, Endpoint, Route } from "../routing/call.js";
import { identify } from "../routing/identify.js";

export const PERSON = { roles: ["person"], admin: false } as const;
export const HTML_RESPONSE = { 200: { description: "A page.", type: "text/html" } } as const;
export const REDIRECT = {
  303: { description: "A redirect to the next page.", headers: { Location: "Its path." } },
} as const;

export function shown(path: string, about: Operation, handle: Endpoint): Route {
  return { path, page: true, methods: { GET: { about, handle } } };
}

/** Forms must come from our own pages. */
export function posted(path: string, about: Operation, endpoint: Endpoint): Route {
  const handle = async (call: Call): Promise<Reply> => {
    requireSameOrigin(call.request.headers, call.origin, true);
    return endpoint(call);
  };
  return { path, page: true, methods: { POST: { about, handle } } };
}

/** What the script of this page needs to check the server later. */
export function proofFor({ services, request }: Call): Promise<string | undefined> {
  return pageProof(services.auth, request.incoming?.socket);
}

/** The signed-in person; undefined if nobody is signed in. */
export async function signedIn(call: Call): Promise<Principal | undefined> {
  try {
    const principal = await identify(call);
    if (principal.role === "person" && principal.askId === undefined) return principal;
  } catch (error) {
    if (error instanceof AsklineError && error.code === "unauthorized") return undefined;
    throw error;
  }
  throw new AsklineError("forbidden", "these pages need a person's credential");
}
