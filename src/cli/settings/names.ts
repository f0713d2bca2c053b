/** The settings that flags, the environment and files can give. */
export const SETTING_NAMES = [
  "db",
  "host",
  "port",
  "data",
  "person",
  "publicUrl",
  "allowedHosts",
  "allowedOrigins",
  "trustedProxies",
  "gatewayPaths",
  "openSessions",
  "agentLinks",
  "limits",
  "retain",
  "logFormat",
  "logLevel",
  "metricsToken",
  "webhooks",
  "webhookEvents",
  "webhookSecret",
  "allowPrivateCallbacks",
  "ntfy",
  "notify",
  "pushContact",
  "pushHosts",
] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

export const ENVIRONMENT_NAMES: Readonly<Record<SettingName, string>> = {
  db: "ASKLINE_DB",
  host: "ASKLINE_HOST",
  port: "ASKLINE_PORT",
  data: "ASKLINE_DATA",
  person: "ASKLINE_PERSON",
  publicUrl: "ASKLINE_PUBLIC_URL",
  allowedHosts: "ASKLINE_ALLOWED_HOSTS",
  allowedOrigins: "ASKLINE_ALLOWED_ORIGINS",
  trustedProxies: "ASKLINE_TRUSTED_PROXIES",
  gatewayPaths: "ASKLINE_GATEWAY_PATHS",
  openSessions: "ASKLINE_OPEN_SESSIONS",
  agentLinks: "ASKLINE_AGENT_LINKS",
  limits: "ASKLINE_LIMITS",
  retain: "ASKLINE_RETAIN",
  logFormat: "ASKLINE_LOG_FORMAT",
  logLevel: "ASKLINE_LOG_LEVEL",
  metricsToken: "ASKLINE_METRICS_TOKEN",
  webhooks: "ASKLINE_WEBHOOKS",
  webhookEvents: "ASKLINE_WEBHOOK_EVENTS",
  webhookSecret: "ASKLINE_WEBHOOK_SECRET",
  allowPrivateCallbacks: "ASKLINE_ALLOW_PRIVATE_CALLBACKS",
  ntfy: "ASKLINE_NTFY",
  notify: "ASKLINE_NOTIFY",
  pushContact: "ASKLINE_PUSH_CONTACT",
  pushHosts: "ASKLINE_PUSH_HOSTS",
} satisfies Record<SettingName, string>;

export const FLAG_NAMES: Readonly<Record<SettingName, string>> = {
  db: "--db",
  host: "--host",
  port: "--port",
  data: "--data",
  person: "--person",
  publicUrl: "--public-url",
  allowedHosts: "--allowed-host",
  allowedOrigins: "--allow-origin",
  trustedProxies: "--trusted-proxy",
  gatewayPaths: "--gateway-path",
  openSessions: "--open-sessions",
  agentLinks: "--agent-links",
  limits: "--limit",
  retain: "--retain",
  logFormat: "--log-format",
  logLevel: "--log-level",
  metricsToken: "--metrics-token",
  webhooks: "--webhook",
  webhookEvents: "--webhook-events",
  webhookSecret: "--webhook-secret",
  allowPrivateCallbacks: "--allow-private-callbacks",
  ntfy: "--ntfy",
  notify: "--notify",
  pushContact: "--push-contact",
  pushHosts: "--push-host",
} satisfies Record<SettingName, string>;

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
