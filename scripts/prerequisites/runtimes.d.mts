export const runtimes: { readonly deno: string; readonly bun: string };
export function ensureRuntimes(): Promise<void>;
