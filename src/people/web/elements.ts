// <askline-inbox> and <askline-chat>: the elements that load with the card. What they show is loaded when one is used.

import { BaseElement } from "./base-element.js";
import type { ChatClient, InboxClient, InboxNotifications, InboxView } from "./types.js";

/** What drives an element from its first connection on. */
export interface ElementControl {
  connect(): void;
  disconnect(): void;
}

const controls = new WeakMap<HTMLElement, ElementControl>();

async function connect<Host extends HTMLElement>(
  host: Host,
  load: () => Promise<{ control(host: Host): ElementControl }>,
): Promise<void> {
  const { control } = await load();
  if (!controls.has(host)) controls.set(host, control(host));
  if (host.isConnected) controls.get(host)?.connect();
}

/** A node that is moved is connected again at once, and goes on. */
function disconnect(host: HTMLElement): void {
  queueMicrotask(() => {
    if (!host.isConnected) controls.get(host)?.disconnect();
  });
}

/**
 * A person's inbox: the pending asks, the card of the chosen one, the history and the devices.
 *
 * @example
 * const inbox = document.createElement("askline-inbox");
 * Object.assign(inbox, { client, person: "ana" }); // client: of connect
 * document.body.append(inbox);
 */
export class AsklineInbox extends BaseElement {
  /** Where asks are read from and answers go: a client of `connect`. */
  declare client: InboxClient | undefined;
  /** The id of the person, by which the inbox knows their own answers. */
  declare person: string | undefined;
  /** The language, such as `vi-VN`; the page's by default. */
  declare locale: string | undefined;
  /** The name of this surface, which is stored with an answer; `inbox` by default. */
  declare surface: string | undefined;
  /** What is shown: `inbox`, the default, `history` or `devices`. */
  declare view: InboxView | undefined;
  /** The id of the ask that is shown. */
  declare selected: string | undefined;
  /** Whether the server cannot be reached, if the page knows. */
  declare away: boolean | undefined;
  /** The notifications of this browser; without them, the inbox offers none. */
  declare notifications: InboxNotifications | undefined;
  /** A page that shows HTML previews under a policy of its own: `/preview-frame` of the server. */
  declare previewFrame: string | undefined;
  /** The address of a session's conversation, for a link to it; without it, there is none. */
  declare chatUrl: ((session: string) => string) | undefined;

  connectedCallback(): void {
    void connect(this, () => import("./inbox/control.js"));
  }
  disconnectedCallback(): void {
    disconnect(this);
  }
}

/** One conversation of an agent, with its questions, and a box to talk. */
export class AsklineChat extends BaseElement {
  declare client: ChatClient | undefined;
  /** The id of the session. */
  declare session: string | undefined;
  declare person: string | undefined;
  declare locale: string | undefined;
  declare surface: string | undefined;
  declare away: boolean | undefined;
  declare previewFrame: string | undefined;
  /** The address of the inbox, for a link to it. */
  declare inboxUrl: string | undefined;

  connectedCallback(): void {
    void connect(this, () => import("./chat/control.js"));
  }
  disconnectedCallback(): void {
    disconnect(this);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "askline-inbox": AsklineInbox;
    "askline-chat": AsklineChat;
  }
}
