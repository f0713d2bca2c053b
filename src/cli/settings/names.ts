// The settings that flags, the environment and files can give.

interface Setting {
  /** The flag as commander reads it; repeatable if the setting is a list. */
  readonly flag: string;
  readonly isList?: true;
  /** What it sets. Absent for settings of several commands, which describe it themselves. */
  readonly about?: string;
  /** What happens without it, where that is not plain. */
  readonly otherwise?: string;
}

/** In the order of the help. */
const SETTINGS = {
  db: { flag: "--db" },
  data: { flag: "--data" },
  host: { flag: "--host <host>", about: "the address to listen on", otherwise: "127.0.0.1" },
  port: { flag: "--port <port>", about: "the port; 0 takes any free one", otherwise: "4780" },
  person: {
    flag: "--person <id>",
    about: "the person whose token the first start creates",
    otherwise: "your user name",
  },
  publicUrl: { flag: "--public-url <url>", about: "the server's address from outside" },
  allowedHosts: { flag: "--allowed-host <name>", isList: true, about: "another host name to accept" },
  allowedOrigins: {
    flag: "--allow-origin <origin>",
    isList: true,
    about: "an origin whose pages may use the API with a token, or *",
  },
  trustedProxies: {
    flag: "--trusted-proxy <address>",
    isList: true,
    about: "a proxy, or a range, whose x-forwarded-for is trusted",
  },
  gatewayPaths: {
    flag: "--gateway-path <path>",
    isList: true,
    about: "another path of the gateway beside /v1/gateway",
  },
  openSessions: {
    flag: "--open-sessions <who>",
    about: "agents, or people to let a person's first message open a session",
    otherwise: "agents",
  },
  agentLinks: {
    flag: "--agent-links",
    about: "let agents create signed links to their own asks, and so open them",
  },
  knownPeople: {
    flag: "--known-people",
    about: "refuse asks to people whom the server does not know, or who have left",
    otherwise: "a warning",
  },
  limits: { flag: "--limit <name=number>", isList: true, about: "change a limit, such as tokenRate=100" },
  retain: {
    flag: "--retain <duration>",
    about: "remove asks and transcripts that ended longer ago, such as 90d",
    otherwise: "off",
  },
  logFormat: {
    flag: "--log-format <format>",
    about: "json or text",
    otherwise: "text at a terminal, otherwise json",
  },
  logLevel: {
    flag: "--log-level <level>",
    about: "debug, info, warn, error or silent",
    otherwise: "warn at a terminal, otherwise info",
  },
  metricsToken: { flag: "--metrics-token <token>", about: "a token for /metrics; an admin's works too" },
  webhooks: { flag: "--webhook <url>", isList: true, about: "an address that gets the events of asks" },
  webhookEvents: {
    flag: "--webhook-events <types>",
    about: "only these events, such as ask.created,ask.settled",
    otherwise: "all",
  },
  webhookSecret: {
    flag: "--webhook-secret <secret>",
    about: "signs webhooks, as whsec_…",
    otherwise: "otherwise one is made and kept",
  },
  notify: {
    flag: "--notify <step>",
    isList: true,
    about: "when people are notified, such as 0s, or 10m=oncall",
    otherwise: "0s",
  },
  ntfy: {
    flag: "--ntfy <person=url>",
    isList: true,
    about: "a person's ntfy topic, such as ana=https://ntfy.sh/topic",
  },
  pushContact: {
    flag: "--push-contact <address>",
    about: "your mailto: or https: address, which push services require; turns push on",
  },
  pushHosts: {
    flag: "--push-host <host>",
    isList: true,
    about: "a push service beside the known ones",
  },
  allowPrivateCallbacks: {
    flag: "--allow-private-callbacks",
    about: "let callbacks of asks reach private and loopback addresses",
  },
} as const;
export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export function settingOf(name: SettingName): Setting {
  return SETTINGS[name];
}

/** `--public-url` for `publicUrl`. */
export function flagOf(name: SettingName): string {
  return SETTINGS[name].flag.replace(/ .*/, "");
}

/** `ASKLINE_PUBLIC_URL` for `publicUrl`. */
export function variableOf(name: SettingName): string {
  return `ASKLINE_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** The candidate that was probably meant; undefined if none is close. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(text.length / 3));
  let best: string | undefined;
  let least = most + 1;
  for (const candidate of candidates) {
    const distance = editDistance(text.toLowerCase(), candidate.toLowerCase());
    if (distance >= least) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

/** How many letters to insert, remove, change or swap with the next. */
function editDistance(from: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const changed = (last[to - 1] ?? 0) + (from[at - 1] === other[to - 1] ? 0 : 1);
      const swaps = at > 1 && to > 1 && from[at - 1] === other[to - 2] && from[at - 2] === other[to - 1];
      const swapped = swaps ? (beforeLast[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(changed, swapped, (last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1));
    }
    beforeLast = last;
    last = row;
  }
  return last[other.length] ?? 0;
}
