/** Each circle of imports between rooms, once, as a line. */
export function findCircles(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (room: string, path: readonly string[]): void => {
    const at = path.indexOf(room);
    if (at !== -1) circles.push(`a circle: ${[...path.slice(at), room].join(" -> ")}`);
    if (at !== -1 || done.has(room)) return;
    for (const next of [...(edges.get(room) ?? [])].sort()) visit(next, [...path, room]);
    done.add(room);
  };
  for (const room of [...edges.keys()].sort()) visit(room, []);
  return circles;
}
