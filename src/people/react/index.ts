"use client";
// askline/react: the card as a component, and hooks for a page's own markup. On a server everything renders, and nothing
// is registered or fetched.

export { type AskForm, type AskFormOptions, useAskForm } from "./ask-form.js";
export { AsklineCard, type AsklineCardProps } from "./card.js";
export { AsklineChat, type AsklineChatProps, AsklineInbox, type AsklineInboxProps } from "./inbox.js";
export { type AskState, type InboxState, useAsk, useInbox } from "./live-asks.js";
