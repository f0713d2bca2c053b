import type { Principal } from "../auth/principal.js";

// Beside the requests, for the log: a route finds out who sends a request long after it has come in.
const principals = new WeakMap<Request, Principal>();

export function rememberPrincipal<P extends Principal>(request: Request, principal: P): P {
  principals.set(request, principal);
  return principal;
}

export function principalOf(request: Request): Principal | undefined {
  return principals.get(request);
}
