// Which addresses a callback may reach. A name is resolved once; what is checked is what is called, so that a name
// cannot change its address between the check and the call.

import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { BlockList, isIP } from "node:net";

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (host: string) => Promise<readonly Address[]>;

/** All addresses of a name, as the system resolves it. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

export interface UntrustedOptions {
  readonly system?: Resolve;
  /** Name servers, instead of the system's. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/** The system's resolver has four threads, for the whole process. */
const MOST_BY_SYSTEM = 2;

/**
 * All addresses of a name that an agent chose, by queries of our own. The system's resolver blocks one of very few
 * threads for as long as the name's servers stay silent, so it is only asked for names that it alone may find, and never
 * for many of them at once.
 */
export function untrustedResolver(options: UntrustedOptions = {}): Resolve {
  const { system = systemResolve, servers, timeoutMs = 2_000 } = options;
  const bySystem = new Map<string, Promise<readonly Address[]>>();
  const askSystem: Resolve = (host) => {
    const asked = bySystem.get(host);
    if (asked !== undefined) return asked;
    if (bySystem.size >= MOST_BY_SYSTEM) {
      return Promise.reject(Object.assign(new Error("busy"), { code: "EAI_AGAIN" }));
    }
    const found = system(host).finally(() => bySystem.delete(host));
    bySystem.set(host, found);
    return found;
  };
  return async (host) => {
    if (host === "localhost" || (await isInHostsFile(host))) return system(host);
    // Names of a network without name servers.
    if (host.endsWith(".local")) return askSystem(host);
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (four.status === "rejected" && six.status === "rejected") {
      // The system may know another name for it, such as one in the domain of this network.
      if (isLocalName(host) && /^(ENOTFOUND|ENODATA)$/.test(four.reason.code)) return askSystem(host);
      throw four.reason;
    }
    const found = (result: PromiseSettledResult<string[]>, family: 4 | 6): readonly Address[] =>
      result.status === "rejected" ? [] : result.value.map((address) => ({ address, family }));
    return [...found(four, 4), ...found(six, 6)];
  };
}

export const resolveUntrusted: Resolve = untrustedResolver();

async function isInHostsFile(host: string): Promise<boolean> {
  const text = await readFile("/etc/hosts", "utf8").catch(() => "");
  return text.replace(/#.*/g, "").split(/\s+/).includes(host);
}

const PRIVATE = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  PRIVATE.addSubnet(network, bits, "ipv4");
}
/** Only global unicast is public in IPv6, without documentation, 6to4, Teredo and translation prefixes. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
const SPECIAL = new BlockList();
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  SPECIAL.addSubnet(network, bits, "ipv6");
}

/** Whether an address is loopback, private, link-local, multicast or otherwise not of the public internet. */
export function isPrivate(text: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1];
  const address = mapped ?? text.replace(/%.*$/, "");
  if (isIP(address) === 4) return PRIVATE.check(address, "ipv4");
  if (isIP(address) === 6) return !GLOBAL.check(address, "ipv6") || SPECIAL.check(address, "ipv6");
  return true;
}

/** The host of a URL without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Whether the URL itself shows a private address or a local name, before any name is resolved. */
export function namesPrivate(url: URL): boolean {
  const host = hostOf(url).toLowerCase().replace(/\.$/, "");
  return isIP(host) === 0 ? isLocalName(host) : isPrivate(host);
}

function isLocalName(host: string): boolean {
  return host === "localhost" || /\.(localhost|local|internal|home\.arpa)$/.test(host) || !host.includes(".");
}
