const DAY_MS = 24 * 60 * 60_000;

/** How long a signed link is good for, in milliseconds. */
export const LINK_MS: { readonly min: number; readonly usual: number; readonly max: number } = {
  min: 1_000,
  usual: DAY_MS,
  max: 90 * DAY_MS,
};
