export const TIERS: readonly string[];
export function tierOf(file: string): string;
export function testFiles(tiers: readonly string[]): string[];
