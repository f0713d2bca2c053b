/** Reads page after page, until one has no `next`. */
export async function* pages<Cursor, Page extends { readonly next?: Cursor | undefined }>(
  read: (after: Cursor | undefined) => Promise<Page>,
): AsyncGenerator<Page, void, void> {
  for (let after: Cursor | undefined; ; ) {
    const page = await read(after);
    yield page;
    after = page.next;
    if (after === undefined) return;
  }
}

/** The items of lists of at most `limit`, until one is shorter. Each list begins after the cursor of the last item. */
export async function* items<Item, Cursor>(
  limit: number,
  cursorOf: (item: Item) => Cursor,
  read: (after: Cursor | undefined, limit: number) => Promise<readonly Item[]>,
): AsyncGenerator<Item, void, void> {
  for (let after: Cursor | undefined; ; ) {
    const list = await read(after, limit);
    yield* list;
    const last = list.at(-1);
    if (last === undefined || list.length < limit) return;
    after = cursorOf(last);
  }
}

/** All items of an iterable. */
export async function collect<Item>(iterable: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of iterable) found.push(item);
  return found;
}
