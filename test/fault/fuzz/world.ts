// What the fuzz sends requests with: credentials of every kind, good and bad, and asks to aim at.

import { pick, type Random } from "../../support/random.ts";
import type { InspectedServer } from "../inspected-server.ts";

export interface World {
  readonly port: number;
  /** Tokens that count, by who they belong to. */
  readonly tokens: Readonly<Record<"agent" | "other" | "narrow" | "person" | "bo" | "admin", string>>;
  /** What an `Authorization` header may hold, most of it worth nothing. */
  readonly credentials: readonly string[];
  cookies: readonly string[];
  /** Of the path below which the first cookie counts. */
  inboxKey: string;
  readonly links: readonly string[];
  /** Ids of asks, pending and settled, of several agents. The oldest make room for new ones. */
  readonly asks: string[];
}

const MOST_ASKS = 60;

export async function openWorld(server: InspectedServer): Promise<World> {
  const { port } = server;
  const make = async (options: object): Promise<string> => (await server.token(options)).token;
  const tokens = {
    agent: await make({ role: "agent", name: "builder" }),
    other: await make({ role: "agent", name: "other" }),
    narrow: await make({ role: "agent", name: "narrow", sessions: ["s1"] }),
    person: await make({ role: "person", name: "ana" }),
    bo: await make({ role: "person", name: "bo", sessions: ["s1"] }),
    admin: await make({ role: "admin", name: "root" }),
  };
  const expired = await make({ role: "admin", name: "late", expiresIn: 1 });
  const revoked = await server.token({ role: "admin", name: "gone" });
  await server.revoke(revoked.id);
  const day = 86_400_000;
  const link = (askId: string, expiresIn: number): Promise<string> =>
    server.link({ askId, person: "ana", expiresIn });
  const good = await link("ask_0", day);
  const links = [good, await link("ask_0", 1), `${good}x`, good.replace(".", "A."), "link_e30.abc", "x"];
  const forged = [expired, revoked.token, `${tokens.admin}x`, tokens.admin.replace(/.$/, "_"), ...links];
  const credentials = [
    ...[...Object.values(tokens), ...forged].map((token) => `Bearer ${token}`),
    `bearer   ${tokens.agent}`,
    `Basic ${Buffer.from(`ana:${tokens.person}`).toString("base64")}`,
    "Bearer",
    "",
    `Bearer ${"x".repeat(3_000)}`,
    `Bearer askline_${"0".repeat(12)}${"a".repeat(43)}`,
    `Bearer ${tokens.agent}, Bearer ${tokens.admin}`,
  ];
  return { port, tokens, credentials, links, asks: [], ...(await newCookies(server)) };
}

/** A valid cookie, and others. Made again now and then: a request that signs out uses the valid one up. */
export async function newCookies(server: InspectedServer): Promise<Pick<World, "cookies" | "inboxKey">> {
  const name = `askline_${server.port}`;
  const { secret, key } = await server.cookie("ana");
  const cookies = [
    `${name}=${secret}`,
    `${name}=${secret}; ${name}=x`,
    `${name}=${"0".repeat(43)}`,
    `askline_1=${secret}`,
    `=; ;;=${"x".repeat(500)}`,
  ];
  return { cookies, inboxKey: key };
}

/** One that counts, more often than not, so that requests get beyond the door. An admin may do most of it. */
export function pickAuthorization({ tokens, credentials }: World, random: Random): string {
  const { agent, person, admin } = tokens;
  return random() < 0.75
    ? `Bearer ${pick([agent, person, admin, admin], random)}`
    : pick(credentials, random);
}

export function keepAsk({ asks }: World, id: string): void {
  asks.push(id);
  if (asks.length > MOST_ASKS) asks.shift();
}
