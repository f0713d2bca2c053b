/** The columns of an ask; without its content where its position is `kept`, an expression. */
export function askColumns(table: string, kept?: string): string {
  const columns = ["position", "id", "status", "deadline", "overdue", "settled_at", "outcome"];
  const content =
    kept === undefined
      ? `${table}.content`
      : `case when ${table}.position is distinct from ${kept} then ${table}.content end as content`;
  return [...columns.map((column) => `${table}.${column}`), content].join(", ");
}
