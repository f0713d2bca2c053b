// Compares texts as a person sees them.

const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;
const INVISIBLE = /[\p{DI}\p{Cc}\p{Cf}]/gu;

/** Texts with the same look differ at most by invisible characters, normalisation or surrounding space. */
export function lookOf(text: string): string {
  return isPlain(text) ? text : text.normalize("NFC").replace(INVISIBLE, "").trim();
}

/** Printable ASCII without surrounding space, which is its own look. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/**
 * Something to see: not a space, a control, a default ignorable (joiners, selectors, fillers, tags), or one of the blanks
 * that no property covers.
 */
const INK = /[^\p{Z}\p{Cc}\p{DI}\u2800\ufff9-\ufffb\u{13430}-\u{13442}\u{16fe4}\u{1d159}]/u;

/** Whether a person sees nothing where this text stands. A mark alone, or an emoji with joiners, is something. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Enough for nearly every text.
  return !(first > 0x20 && first < 0x7f) && !INK.test(text);
}

/** The look of a name that may be typed instead of another: case, width and the amount of space do not count. */
export function foldName(text: string): string {
  return lookOf(text.normalize("NFKC")).replace(/\s+/gu, " ").toLowerCase();
}

const SHORTEST_MISSPELT = 4;

/**
 * Whether a name is probably the known one, misspelt: one letter is missing, added or another, or two are swapped. Case
 * and underscores do not count. A short name has too many neighbours: `_id` and `uid` are names of their own.
 */
export function isNearly(name: string, known: string): boolean {
  if (known.length < SHORTEST_MISSPELT) return name.toLowerCase() === known;
  const [one = "", other = ""] = [name, known].map((text) => text.toLowerCase().replaceAll("_", ""));
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [rest, wanted] = [one.slice(start), other.slice(start)];
  const [after, wantedAfter] = [rest.slice(1), wanted.slice(1)];
  const swapped = `${after[0]}${rest[0]}${after.slice(1)}`;
  return after === wanted || rest === wantedAfter || after === wantedAfter || swapped === wanted;
}
