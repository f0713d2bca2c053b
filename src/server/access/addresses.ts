// The address that limits count by. Behind a proxy, the proxy names it, and only configured proxies are trusted:
// any client can send `x-forwarded-for`.

import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { AsklineError } from "../../core/model/error.js";

export interface Addresses {
  /** The address that limits count by; undefined for loopback, and without an address. */
  of(incoming: Pick<IncomingMessage, "socket" | "headers">): string | undefined;
  /** The same for a connection, before its first request; undefined for a trusted proxy, which many people share. */
  ofConnection(remoteAddress: string | undefined): string | undefined;
}

/** Only the last characters of the header are read: proxies append to what the client sent. */
const MOST_FORWARDED = 1_000;

/** `trustedProxies` are addresses or ranges: `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`. */
export function createAddresses(trustedProxies: readonly string[] = []): Addresses {
  const trusted = new BlockList();
  for (const text of trustedProxies) trust(trusted, text);
  const isTrusted = (address: string): boolean =>
    trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  const believes = trustedProxies.length > 0;

  const senderOf = (address: string, forwarded: string): string => {
    let sender = address;
    // Each proxy appends on the right: read from there, for as long as the hops are trusted.
    const hops = forwarded.slice(-MOST_FORWARDED).split(",");
    while (isTrusted(sender)) {
      const hop = readHop(hops.pop() ?? "");
      if (hop === undefined) break;
      sender = hop;
    }
    return sender;
  };

  return {
    of({ socket, headers }) {
      const remote = socket.remoteAddress;
      if (remote === undefined) return undefined;
      const forwarded = believes ? headers["x-forwarded-for"] : undefined;
      if (forwarded === undefined) return limitKey(plainAddress(remote));
      // Node joins repeated headers with commas.
      return limitKey(senderOf(plainAddress(remote), String(forwarded)));
    },
    ofConnection(remoteAddress) {
      const address = remoteAddress === undefined ? undefined : plainAddress(remoteAddress);
      return address === undefined || (believes && isTrusted(address)) ? undefined : limitKey(address);
    },
  };
}

function trust(trusted: BlockList, text: string): void {
  const [address = "", bits, ...more] = text.trim().split("/");
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (version === 0 || more.length > 0 || !(length <= most)) {
    throw new AsklineError(
      "invalid_request",
      `the trusted proxy "${text}" is not valid; use an address or a range, like 10.0.0.5 or 10.0.0.0/8`,
    );
  }
  trusted.addSubnet(address, length, version === 6 ? "ipv6" : "ipv4");
}

/** One entry of the header: an address with an optional port. */
function readHop(text: string): string | undefined {
  const hop = text
    .trim()
    .replace(/^"?\[([^\]]*)\](?::\d+)?"?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1");
  return isIP(hop) === 0 ? undefined : plainAddress(hop);
}

/** Unwraps an IPv4 address that a dual-stack socket shows as IPv6. */
function plainAddress(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}

/** An IPv6 client usually controls its whole /64. */
function limitKey(address: string): string | undefined {
  if (address.startsWith("127.") || address === "::1") return undefined;
  return address.includes(":") ? networkOf(address) : address;
}

function networkOf(address: string): string {
  const [text = ""] = address.toLowerCase().split("%");
  const [front = "", back] = text.split("::", 2);
  const head = front === "" ? [] : front.split(":");
  const tail = back === undefined || back === "" ? [] : back.split(":");
  // A trailing IPv4 address counts as two groups.
  const tailGroups = tail.length + (tail.at(-1)?.includes(".") ? 1 : 0);
  const zeros = back === undefined ? 0 : Math.max(0, 8 - head.length - tailGroups);
  const groups = [...head, ...Array<string>(zeros).fill("0"), ...tail].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
