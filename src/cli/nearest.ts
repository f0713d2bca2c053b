/** The candidate that was probably meant; undefined where none is near. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(text.length / 3));
  let best: string | undefined;
  let least = most + 1;
  for (const candidate of candidates) {
    const distance = editDistance(text.toLowerCase(), candidate.toLowerCase());
    if (distance >= least) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1];
      const replaced = (row[to - 1] ?? 0) + (same ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
