// What people and programs are notified of, and how: from flags, the environment or a file. Addresses and secrets are
// never repeated in a message.

import { durationMs } from "../../core/kit/duration.js";
import { isRecord } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
// Not by way of the index: every command reads settings, and would load the hub with it.
import { isSigningSecret } from "../../hub/delivery/http/signing.js";
import type { Webhook } from "../../hub/delivery/webhooks.js";
import { CommandError } from "../world/exit.js";

interface Given {
  readonly value: unknown;
  readonly source: string;
}

/** Addresses, or in a file objects with url, events and secret. */
export function readWebhooks(
  given: Given | undefined,
  events: readonly string[] | undefined,
  secret: string | undefined,
): readonly Webhook[] {
  if (given === undefined) return [];
  return itemsOf(given).map((item): Webhook => {
    const hook = typeof item === "string" ? { url: item.trim() } : item;
    if (!isRecord(hook) || typeof hook.url !== "string" || !isHttp(hook.url)) {
      throw new CommandError(`${given.source} must be http or https addresses`);
    }
    const own = hook.events ?? events;
    if (own !== undefined && !(Array.isArray(own) && own.every((type) => typeof type === "string"))) {
      throw new CommandError(`${given.source}: events must be a list such as ["ask.created", "ask.settled"]`);
    }
    const signing = hook.secret ?? secret;
    if (signing !== undefined && !(typeof signing === "string" && isSigningSecret(signing))) {
      throw new CommandError(
        `${given.source}: a secret must be whsec_ and at least 24 bytes in base64; omit it to let the server make one`,
      );
    }
    return {
      url: hook.url,
      ...(own !== undefined && { events: own as readonly string[] }),
      ...(signing !== undefined && { secret: signing }),
    };
  });
}

/** `ana=https://ntfy.example.com/topic`; without a name, for the person of this server. */
export function readNtfy(given: Given | undefined, person: string): ReadonlyMap<string, string> {
  const topics = new Map<string, string>();
  for (const item of given === undefined ? [] : itemsOf(given)) {
    const [, name, url = ""] =
      /^(?:([^=:/]+)=)?(\S+)$/.exec(typeof item === "string" ? item.trim() : "") ?? [];
    if (!isHttp(url) || new URL(url).pathname.length < 2) {
      throw new CommandError(`${given?.source} must look like ana=https://ntfy.example.com/topic`);
    }
    topics.set(name ?? person, url);
  }
  return topics;
}

export interface NotifySetting {
  readonly after: string;
  readonly to?: readonly string[];
}

/** `0s`, `10m=oncall`, or in a file objects with after and to. */
export function readNotify(given: Given | undefined): readonly NotifySetting[] | undefined {
  if (given === undefined) return undefined;
  const steps = itemsOf(given).map((item): NotifySetting => {
    const [, after, names] = (typeof item === "string" && /^([^=]+)(?:=(.+))?$/.exec(item.trim())) || [];
    const step = isRecord(item) ? item : { after, to: names?.split("+").map((name) => name.trim()) };
    const milliseconds = typeof step.after === "string" ? durationMs(step.after) : undefined;
    const to = step.to;
    const named = Array.isArray(to) && to.every((name) => typeof name === "string" && name !== "");
    if (milliseconds === undefined || milliseconds > LIMITS.notifyMs || (to !== undefined && !named)) {
      throw new CommandError(`${given.source} must look like 0s, or 10m=oncall, or 10m=ana+ben`);
    }
    return { after: String(step.after), ...(named && { to: to as readonly string[] }) };
  });
  if (steps.length <= LIMITS.notifySteps) return steps;
  throw new CommandError(`${given.source} may have at most ${LIMITS.notifySteps} steps`);
}

/** Contact of the operator for push services. */
export function readContact(given: Given | undefined): string | undefined {
  if (given === undefined) return undefined;
  const text = typeof given.value === "string" ? given.value.trim() : "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const host = url?.protocol === "mailto:" ? url.pathname.split("@")[1] : url?.hostname;
  const known = url?.protocol === "mailto:" || url?.protocol === "https:";
  if (
    known &&
    host !== undefined &&
    /\.[a-z]{2,}$/i.test(host) &&
    !/\.(local|localhost|internal)$/i.test(host)
  ) {
    return text;
  }
  throw new CommandError(
    `${given.source} must be a real mailto: or https: address, such as mailto:you@example.com; push services reject others`,
  );
}

function itemsOf({ value, source }: Given): readonly unknown[] {
  const items = typeof value === "string" ? value.split(",") : value;
  if (Array.isArray(items)) return items;
  throw new CommandError(`${source} must be a list`);
}

function isHttp(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
