/** What a server can be told by flag, by environment and by file. */
export const SETTING_NAMES = [
  "db",
  "host",
  "port",
  "data",
  "person",
  "publicUrl",
  "allowedHosts",
  "trustedProxies",
  "limits",
  "logFormat",
  "logLevel",
  "metricsToken",
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
  trustedProxies: "ASKLINE_TRUSTED_PROXIES",
  limits: "ASKLINE_LIMITS",
  logFormat: "ASKLINE_LOG_FORMAT",
  logLevel: "ASKLINE_LOG_LEVEL",
  metricsToken: "ASKLINE_METRICS_TOKEN",
} satisfies Record<SettingName, string>;

export const FLAG_NAMES: Readonly<Record<SettingName, string>> = {
  db: "--db",
  host: "--host",
  port: "--port",
  data: "--data",
  person: "--person",
  publicUrl: "--public-url",
  allowedHosts: "--allowed-host",
  trustedProxies: "--trusted-proxy",
  limits: "--limit",
  logFormat: "--log-format",
  logLevel: "--log-level",
  metricsToken: "--metrics-token",
} satisfies Record<SettingName, string>;
