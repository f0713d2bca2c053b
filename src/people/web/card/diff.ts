// The difference of two texts, line by line. Every line of both is in it.

export interface DiffLine {
  readonly kind: "same" | "removed" | "added" | "place";
  readonly text: string;
}

/** Beyond this, a whole replacement is as good to read as a clever difference, and quicker. */
const MOST_COMPARED = 1_000_000;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  // A line break at the end of both is not an empty line.
  const ends = before.endsWith("\n") && after.endsWith("\n");
  const [old, young] = [before, after].map((text) => linesOf(ends ? text.slice(0, -1) : text)) as [
    readonly string[],
    readonly string[],
  ];
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < young.length - start && old.at(-1 - end) === young.at(-1 - end))
    end += 1;
  return [
    ...old.slice(0, start).map((text): DiffLine => ({ kind: "same", text })),
    ...middle(old.slice(start, old.length - end), young.slice(start, young.length - end)),
    ...old.slice(old.length - end).map((text): DiffLine => ({ kind: "same", text })),
  ];
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

/** By the longest common subsequence. */
function middle(old: readonly string[], young: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: "removed", text });
  const added = (text: string): DiffLine => ({ kind: "added", text });
  if (old.length * young.length > MOST_COMPARED) return [...old.map(removed), ...young.map(added)];
  const width = young.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = young.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === young[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < young.length) {
    const [left, right] = [old[row], young[column]];
    if (left !== undefined && left === right) {
      lines.push({ kind: "same", text: left });
      row += 1;
      column += 1;
    } else if (left !== undefined && (right === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(left));
      row += 1;
    } else if (right !== undefined) {
      lines.push(added(right));
      column += 1;
    }
  }
  return lines;
}

/** The lines of a unified diff; undefined if the text is not one. */
export function unifiedLines(text: string): readonly DiffLine[] | undefined {
  if (!/^@@ .*@@/m.test(text)) return undefined;
  return text.split("\n").map((line): DiffLine => {
    if (/^(@@|diff |index |--- |\+\+\+ )/.test(line)) return { kind: "place", text: line };
    if (line.startsWith("+")) return { kind: "added", text: line.slice(1) };
    if (line.startsWith("-")) return { kind: "removed", text: line.slice(1) };
    return { kind: "same", text: line.startsWith(" ") ? line.slice(1) : line };
  });
}
