import type { ForwardRefExoticComponent, RefAttributes } from "react";
import type { AsklineChat as ChatElement, AsklineInbox as InboxElement, InboxEvents } from "../web/index.js";
import "../web/index.js";
import { type ElementProps, elementComponent } from "./element.js";

type InboxProperties = Pick<
  InboxElement,
  "client" | "person" | "locale" | "surface" | "view" | "selected" | "away" | "chatUrl"
>;

/** The properties and events of `<askline-inbox>`; anything else goes to the element. */
export type AsklineInboxProps = {
  readonly [Name in keyof InboxProperties]?: InboxProperties[Name] | undefined;
} & {
  readonly onWaiting?: ((event: CustomEvent<InboxEvents["waiting"]>) => unknown) | undefined;
  readonly onNavigate?: ((event: CustomEvent<InboxEvents["navigate"]>) => unknown) | undefined;
  readonly onSignedOut?: ((event: CustomEvent<InboxEvents["signedout"]>) => unknown) | undefined;
} & ElementProps;

/** `<askline-inbox>` as a component: a person's pending asks, the card of the chosen one, the history and the devices. */
export const AsklineInbox: ForwardRefExoticComponent<AsklineInboxProps & RefAttributes<InboxElement>> =
  elementComponent<InboxElement, AsklineInboxProps>({
    tag: "askline-inbox",
    properties: ["person", "locale", "surface", "view", "selected", "away", "chatUrl", "client"],
    events: { onWaiting: "waiting", onNavigate: "navigate", onSignedOut: "signedout" },
  });
AsklineInbox.displayName = "AsklineInbox";

type ChatProperties = Pick<ChatElement, "client" | "session" | "person" | "locale" | "surface" | "away">;

/** The properties of `<askline-chat>`; anything else goes to the element. */
export type AsklineChatProps = {
  readonly [Name in keyof ChatProperties]?: ChatProperties[Name] | undefined;
} & ElementProps;

/** `<askline-chat>` as a component: one conversation of an agent, with its questions. */
export const AsklineChat: ForwardRefExoticComponent<AsklineChatProps & RefAttributes<ChatElement>> =
  elementComponent<ChatElement, AsklineChatProps>({
    tag: "askline-chat",
    properties: ["session", "person", "locale", "surface", "away", "client"],
    events: {},
  });
AsklineChat.displayName = "AsklineChat";
