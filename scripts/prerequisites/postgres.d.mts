export function ensurePostgres(): void;
export function findPostgres(): string | undefined;
