import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";

/** The address of this machine on its network, by which a phone can reach it. */
export function lanAddress(world: Pick<World, "networkAddresses">): string {
  const all = world.networkAddresses().filter((address) => !address.startsWith("169.254."));
  const found = all.find((address) => /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(address)) ?? all[0];
  if (found !== undefined) return found;
  throw new CommandError(
    "this machine has no address on a network; connect it to one, or give the address yourself with --host",
  );
}

/** What plain HTTP means, for the person who has just opened this server to a network. */
export const PLAIN_HTTP = `This is plain HTTP: anyone who can read this network's traffic can read the questions and answers, and take
over the sign-in. Use it on a network that you trust. Over HTTPS nobody can, and a phone can install the inbox and
get notifications. To get HTTPS, serve on this machine alone, and put one of these in front of it:
  tailscale serve 4780                     then: askline serve --public-url https://MACHINE.TAILNET.ts.net
  a reverse proxy, such as Caddy or nginx  then: askline serve --public-url https://ask.example.com`;
