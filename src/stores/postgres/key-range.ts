/**
 * The first text after all that start with a prefix, by code points, which is also the order of their UTF-8
 * bytes. Undefined where nothing comes after them.
 */
export function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === 0x10ffff) continue;
    // Surrogates are no characters.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return undefined;
}
