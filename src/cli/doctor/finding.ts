/** What is looked at, in the order in which it is told. */
export const CHECKS = [
  "Node",
  "settings",
  "data folder",
  "store",
  "migrations",
  "pg",
  "credentials",
  "port",
  "server",
  "clock",
] as const;
export type CheckName = (typeof CHECKS)[number];

/** A warning is worth knowing and stops nothing. What is wrong stops something, and can be mended. */
export type Finding = { readonly check: CheckName; readonly message: string } & (
  | { readonly level: "ok" }
  | { readonly level: "warning" | "wrong"; readonly mend: string }
);

export function ok(check: CheckName, message: string): Finding {
  return { check, level: "ok", message };
}

export function warning(check: CheckName, message: string, mend: string): Finding {
  return { check, level: "warning", message, mend };
}

export function wrong(check: CheckName, message: string, mend: string): Finding {
  return { check, level: "wrong", message, mend };
}

/** The reason of an error, on its own. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
