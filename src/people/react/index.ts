"use client";
// askline/react: the card as a component, and hooks for a page's own markup. On a server everything renders, and nothing
// is registered or fetched.

export { type AskForm, useAskForm } from "./ask-form.js";
export { AsklineCard } from "./card.js";
export { AsklineChat, AsklineInbox } from "./inbox.js";
export { useAsk, useInbox } from "./live-asks.js";
