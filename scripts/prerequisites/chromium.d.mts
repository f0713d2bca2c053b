export function ensureChromium(): Promise<void>;
export function findChromium(): string | undefined;
export function ensureFullChromium(): Promise<void>;
export function findFullChromium(): string | undefined;
