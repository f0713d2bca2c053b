import type { PageWords } from "../pages.js";
import { INBOX } from "./terminal-inbox.js";

export const PAGES: PageWords = {
  language: "en",
  signedInAs: "Signed in as",
  signOut: "Sign out",
  allQuestions: "All questions",
  failed: "That did not work",
  openQuestion: "Open the question",
  openInbox: "Open your inbox",
  openInboxHint: "This link works once, within ten minutes.",
  signIn: "Sign in",
  signInHint:
    "Open the link that the server printed when it started. It works once. To get a new one, run askline link on the server's machine. If you are signed in, open your inbox from a bookmark or the history: its address is not the address of this page.",
  howToAnswer:
    "To answer, open the question in a browser with JavaScript, or run askline inbox in a terminal.",
  needsScript:
    "To see this page, open it in a browser with JavaScript, or run askline inbox in a terminal to answer questions.",
  ended: "This question has already ended.",
  approve: INBOX.approve,
  severalQuestions: INBOX.severalQuestions,
  fromAgent: (name) => `from ${name}`,
  errors: {
    invalid_code: "This code is unknown, expired or already used. Get a new link.",
    invalid_link: "This link is not valid. Ask for a new one.",
    link_expired: "This link has expired. Ask for a new one.",
    not_found: "There is nothing here, or it is not meant for you.",
    forbidden: "You may not do this.",
    host_not_allowed: "This server is not reachable by this name. Use the address that it printed.",
    method_not_allowed: "This address accepts form submissions only; there is no page here.",
    origin_not_allowed: "This form was sent from another site, so it was not accepted.",
    invalid_request: "The server did not understand this request.",
    unsupported_media_type: "The server did not understand this request.",
    too_large: "This is too large.",
    rate_limited: "Too many requests. Wait a moment, then try again.",
    request_timeout: "This took too long to arrive. Try again.",
    closed: "The server is shutting down. Try again in a moment.",
    overloaded: "The server is busy. Try again in a moment.",
    other: "The server has a problem. Nothing was saved; try again later.",
  },
};
