import type { Principal } from "../auth/principal.js";
import type { Call } from "../call.js";
import { SURFACE_HEADER } from "../parameters.js";

/** What the person uses, as the sender says; it is shown to others beside the person's name. */
export function surfaceOf({ request }: Call, { askId }: Principal): string {
  // How a link was used is worth knowing: whoever made it could have opened it.
  return askId === undefined ? SURFACE_HEADER.read(request.headers) : "link";
}
