import { AsklineError } from "../core/index.js";
import type { Principal } from "./auth/principal.js";
import type { Call, Method } from "./call.js";
import { cookieName, readCookie } from "./cookies.js";
import type { Access, Operation } from "./operation.js";
import { requireSameOrigin } from "./same-origin.js";

/** A method for those with a credential of the right role. */
export function authorized(
  access: Access,
  about: Operation,
  handle: (call: Call, principal: Principal) => Promise<Response>,
): Method {
  const { roles, links } = access;
  const checked = async (call: Call): Promise<Response> => {
    const principal = await identify(call);
    const { role, askId, credential } = principal;
    if (!isSafe(call.request.method)) {
      requireSameOrigin(call.request.headers, call.origin, credential.kind === "cookie");
    }
    if (role !== "admin" && !roles.includes(role)) {
      throw new AsklineError("forbidden", `the role ${role} may not do this; it takes ${roles.join(" or ")}`);
    }
    if (askId !== undefined && !links) {
      throw new AsklineError("forbidden", "a signed link opens one ask, and nothing else");
    }
    return handle(call, principal);
  };
  return { about: { ...about, access }, handle: checked };
}

/** Whose credential the request carries. Throws a coded error where it has none that counts. */
export async function identify({
  request,
  origin,
  services,
}: Pick<Call, "request" | "origin" | "services">): Promise<Principal> {
  const { auth } = services;
  const authorization = request.headers.get("authorization");
  if (authorization !== null) {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
    if (token?.startsWith("link_")) return requireLink(await auth.openLink(token));
    const principal = token === undefined ? undefined : await auth.verifyToken(token);
    if (principal !== undefined) return principal;
    throw new AsklineError("unauthorized", "this token is unknown, expired or revoked; get a new one");
  }
  const secret = readCookie(request.headers, cookieName(origin));
  const principal = secret === undefined ? undefined : await auth.verifyCookie(secret);
  if (principal !== undefined) return principal;
  throw new AsklineError("unauthorized", "send a token: Authorization: Bearer <token>");
}

export function requireLink(
  opened: Awaited<ReturnType<Call["services"]["auth"]["openLink"]>>,
): Principal & { readonly askId: string } {
  if (opened.ok) return opened.principal;
  throw new AsklineError(
    opened.code,
    opened.code === "link_expired"
      ? "this link has expired; ask for a new one"
      : "this link is not one of this server's, or a part of it is missing; ask for a new one",
  );
}

function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
