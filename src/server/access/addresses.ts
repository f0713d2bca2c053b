// Where a request comes from, as far as limits go. Behind a proxy that is for the proxy to say, and only one that
// the server was told to trust is believed: anybody can write an `x-forwarded-for`.

import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { AsklineError } from "../../core/index.js";

export interface Addresses {
  /** The address that limits count by; undefined for this machine itself, and where there is none. */
  of(incoming: Pick<IncomingMessage, "socket" | "headers">): string | undefined;
  /** The same of a connection, before there is a request; undefined for a trusted proxy, which brings many people. */
  ofConnection(remoteAddress: string | undefined): string | undefined;
}

/** Characters of the header that are looked at, from its end: what proxies wrote, and not what was there before. */
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
    // Each proxy writes to the right of those before it: from there on, as far as they are trusted.
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
      // Node joins repeated ones with commas.
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
      `the trusted proxy "${text}" must be an address or a range of them, like 10.0.0.5 or 10.0.0.0/8`,
    );
  }
  trusted.addSubnet(address, length, version === 6 ? "ipv6" : "ipv4");
}

/** One entry of the header: an address, perhaps with a port. */
function readHop(text: string): string | undefined {
  const hop = text
    .trim()
    .replace(/^"?\[([^\]]*)\](?::\d+)?"?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1");
  return isIP(hop) === 0 ? undefined : plainAddress(hop);
}

/** An IPv4 address is one, also where a socket for both kinds shows it as IPv6. */
function plainAddress(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}

/** One who has an IPv6 address mostly has all of its /64. */
function limitKey(address: string): string | undefined {
  if (address.startsWith("127.") || address === "::1") return undefined;
  return address.includes(":") ? networkOf(address) : address;
}

function networkOf(address: string): string {
  const [text = ""] = address.toLowerCase().split("%");
  const [front = "", back] = text.split("::", 2);
  const head = front === "" ? [] : front.split(":");
  const tail = back === undefined || back === "" ? [] : back.split(":");
  // An IPv4 address at the end stands for two groups.
  const tailGroups = tail.length + (tail.at(-1)?.includes(".") ? 1 : 0);
  const zeros = back === undefined ? 0 : Math.max(0, 8 - head.length - tailGroups);
  const groups = [...head, ...Array<string>(zeros).fill("0"), ...tail].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
