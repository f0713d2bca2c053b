export function ensureChromium(): void;
export function findChromium(): string | undefined;
