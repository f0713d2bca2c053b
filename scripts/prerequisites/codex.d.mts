export const CODEX_VERSION: string;
/** The path of the binary. Throws, with what to do, if it cannot be installed. */
export function ensureCodex(): string;
