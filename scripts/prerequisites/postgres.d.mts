export function ensurePostgres(): Promise<void>;
export function findPostgres(): string | undefined;
