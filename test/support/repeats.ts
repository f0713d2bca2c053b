/**
 * How often a random check repeats: `short` in `npm test`, `long` in `npm run soak`. A file `x.soak.ts` that imports
 * `x.test.ts` makes the soak run it.
 */
export function repeats({ short, long }: { readonly short: number; readonly long: number }): number {
  return process.env.ASKLINE_SOAK === undefined ? short : long;
}
