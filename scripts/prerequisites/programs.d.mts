export function ensurePrograms(): Promise<void>;
export function findProgram(name: "nginx" | "pgbouncer"): string | undefined;
