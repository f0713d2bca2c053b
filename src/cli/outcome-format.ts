export const FORMATS = ["text", "json", "claude"] as const;
export type Format = (typeof FORMATS)[number];
