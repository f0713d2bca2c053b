const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds for `0s`, `500ms`, `30s`, `5m`, `2h`, `1d`, or `30` (seconds); undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d{1,15}(?:\.\d{1,9})?)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  return number === "" ? undefined : Math.round(Number(number) * (UNITS[unit] ?? 1_000));
}
