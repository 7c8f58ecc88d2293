interface Page<T> {
  readonly items: T[];
  readonly nextCursor?: string | null;
}

/** Every item of all pages, each page fetched when it is needed. */
export async function* allPages<T>(
  fetchPage: (from: { cursor?: string }) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | null | undefined;
  do {
    const page: Page<T> = await fetchPage(typeof cursor === 'string' ? { cursor } : {});
    yield* page.items;
    cursor = page.nextCursor;
  } while (typeof cursor === 'string');
}
