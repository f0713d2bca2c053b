/** The order of UTF-8 bytes, which databases use; `<` compares UTF-16 units and differs beyond U+FFFF. */
export function compareCodePoints(one: string, other: string): number {
  const a = Array.from(one, (character) => character.codePointAt(0) ?? 0);
  const b = Array.from(other, (character) => character.codePointAt(0) ?? 0);
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
