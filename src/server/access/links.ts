// Signed links: one ask, one person, until a time. Links are not stored. The signing key is a record, so that all
// processes over one store accept the same links.

import { timingSafeEqual } from "node:crypto";
import { AsklineError } from "../../core/model/error.js";
import { LINK_INPUT, type LinkInput } from "../../core/model/link.js";
import type { Epochs } from "./epochs.js";
import type { Principal } from "./principal.js";
import type { Sign } from "./secrets.js";

const LINK = /^link_([\w-]{1,1000})\.([\w-]{43})$/;

export interface LinkTarget extends LinkInput {
  readonly askId: string;
}

export type OpenedLink =
  | { readonly ok: true; readonly principal: Principal & { readonly askId: string } }
  | { readonly ok: false; readonly code: "invalid_link" | "link_expired" };

export interface Links {
  create(target: LinkTarget): Promise<{ readonly link: string; readonly expiresAt: number }>;
  open(link: string): Promise<OpenedLink>;
}

export function createLinks(signText: Sign, epochs: Epochs, now: () => number): Links {
  const sign = (payload: string): Promise<string> => signText(`askline link 1\n${payload}`);

  return {
    async create({ askId, person, expiresIn, frame }) {
      const expiresAt = now() + expiresIn;
      const epoch = await epochs.current(person);
      const content = [
        ...[askId, person, expiresAt],
        ...(epoch > 0 || frame !== undefined ? [epoch] : []),
        ...(frame === undefined ? [] : [requireOrigin(frame)]),
      ];
      const payload = Buffer.from(JSON.stringify(content)).toString("base64url");
      return { link: `link_${payload}.${await sign(payload)}`, expiresAt };
    },

    async open(link) {
      const [, payload, signature] = LINK.exec(link) ?? [];
      if (payload === undefined || signature === undefined) return { ok: false, code: "invalid_link" };
      // Compared as text of 43 characters: several texts decode to the same signature.
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(await sign(payload)))) {
        return { ok: false, code: "invalid_link" };
      }
      // The signature is ours, so this is what `create` wrote.
      const [askId, person, expiresAt, epoch = 0, frame] = JSON.parse(
        Buffer.from(payload, "base64url").toString(),
      ) as [string, string, number, number?, string?];
      if (expiresAt <= now() || !(await epochs.isCurrent(person, epoch))) {
        return { ok: false, code: "link_expired" };
      }
      return {
        ok: true,
        principal: {
          role: "person",
          name: person,
          askId,
          credential: { kind: "link", expiresAt, person, epoch, ...(frame !== undefined && { frame }) },
        },
      };
    },
  };
}

/** A URL may have `*` or `;` in its host, which mean more than one origin in the header. */
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/;

/** An origin and nothing else: it goes into a header. */
function requireOrigin(frame: string): string {
  if (frame.length <= 255 && ORIGIN.test(frame) && URL.canParse(frame) && new URL(frame).origin === frame)
    return frame;
  throw new AsklineError("invalid_request", `frame must ${LINK_INPUT.fields.frame.must}`);
}
