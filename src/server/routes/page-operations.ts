// What the pages say of themselves.

import type { Operation } from "../operation.js";
import { CODE, DONE, LOOK, PAGE_AFTER } from "../parameters.js";
import type { EndingName } from "./endings.js";

const PERSON = { roles: ["person"], admin: false } as const;
const SHOWN = { 200: { description: "A page.", type: "text/html" } } as const;
const ELSEWHERE = {
  303: { description: "To the page that comes next.", headers: { Location: "Its path." } },
} as const;

export const INBOX: Operation = {
  id: "inboxPage",
  summary: "What waits for a person, as a page",
  description: "Without a credential, how to sign in. With a code, a button that uses it.",
  access: PERSON,
  parameters: [PAGE_AFTER, CODE, DONE, LOOK],
  responses: SHOWN,
};

export const SIGN_IN: Operation = {
  id: "signIn",
  summary: "Use a one-time code up, for a cookie",
  body: { form: { type: "object", properties: { code: { type: "string" } } } },
  responses: ELSEWHERE,
  errors: ["invalid_code"],
};

export const SIGN_OUT: Operation = {
  id: "signOut",
  summary: "End the cookie",
  responses: ELSEWHERE,
};

export const ASK_PAGE: Operation = {
  id: "askPage",
  summary: "One ask, as a page",
  access: PERSON,
  responses: SHOWN,
  errors: ["not_found"],
};

export const LINK_PAGE: Operation = {
  id: "linkPage",
  summary: "One ask, as a page for whoever has the link",
  responses: SHOWN,
  errors: ["not_found", "invalid_link", "link_expired"],
};

const FORM = {
  form: { type: "object", description: "What the page's form has, by the places of the questions." },
};

/** What a form of a page sends. One that cannot be taken comes back as a page, with what is wrong. */
export function formOperation(ending: EndingName, by: "person" | "link"): Operation {
  const whole = {
    id: `${ending}By${by === "link" ? "Link" : "Page"}`,
    summary: `The page's form to ${ending}`,
    body: FORM,
    responses: ELSEWHERE,
  };
  const errors = ["not_found", "already_settled", "invalid_answer", "wrong_kind", "unsupported"] as const;
  return by === "link"
    ? { ...whole, errors: [...errors, "invalid_link", "link_expired", "forbidden"] }
    : { ...whole, access: PERSON, errors };
}
