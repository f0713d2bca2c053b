const UNITS: readonly (readonly [string, number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
];

/** `3s`, `12m`, `5h` or `40d`: a duration in its largest unit. */
export function shortDuration(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  for (const [name, size] of UNITS) {
    if (length >= size) return `${Math.floor(length / size)}${name}`;
  }
  return "0s";
}

/** `in 5m`, or `5m ago`. */
export function relativeTime(time: number, now: number): string {
  return time > now ? `in ${shortDuration(time - now)}` : `${shortDuration(now - time)} ago`;
}

/** `2026-11-15 21:39:18Z` */
export function exactTime(time: number): string {
  return new Date(time)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
}

/** `1 ask`, `12,345 asks` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** `3.2 MB` */
export function sizeText(bytes: number): string {
  return bytes < 1_048_576 ? `${Math.ceil(bytes / 1_024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
}
