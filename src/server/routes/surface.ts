import { AsklineError } from "../../core/index.js";
import type { Principal } from "../auth/principal.js";
import type { Call } from "../call.js";

/** What the person uses, as the sender says; it is shown to others beside the person's name. */
export function surfaceOf({ request }: Call, { askId }: Principal): string {
  // How a link was used is worth knowing: whoever made it could have opened it.
  if (askId !== undefined) return "link";
  const surface = request.headers.get("askline-surface") ?? "api";
  if (/^[\w.-]{1,64}$/.test(surface)) return surface;
  throw new AsklineError(
    "invalid_request",
    "Askline-Surface must be a short name of letters, digits, dots, dashes and underscores",
  );
}
