export function ensureChromium(): void;
export function findChromium(): string | undefined;
export function ensureFullChromium(): void;
export function findFullChromium(): string | undefined;
