// Compares texts as a person sees them.

const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu;

/** Texts with the same look differ at most by invisible characters, normalisation or surrounding space. */
export function lookOf(text: string): string {
  return isPlain(text) ? text : text.normalize("NFC").replace(INVISIBLE, "").trim();
}

/** Printable ASCII without surrounding space, which is its own look. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** The look of a name that may be typed instead of another: case, width and the amount of space do not count. */
export function foldName(text: string): string {
  return lookOf(text.normalize("NFKC")).replace(/\s+/gu, " ").toLowerCase();
}
