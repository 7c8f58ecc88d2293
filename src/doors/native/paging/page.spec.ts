import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { jobListExample, JOB_ID } from '../route/examples.js';
import { fromCursorText, readLookUp, toCursorText } from './page.js';

const encode = (text: string) => Buffer.from(text).toString('base64url');

describe('the cursor of a list', () => {
  it.each([
    '',
    'abc',
    '!!!',
    encode('1.x.y'),
    encode('{"id":1}'),
    encode(`2.1.${JOB_ID}`),
    encode(`1.99999999999999999.${JOB_ID}`),
    encode(`1.999999999999999.${JOB_ID}`),
    encode("1.1.'; drop table"),
  ])('refuses %s', (text) => {
    let thrown: unknown;
    try {
      fromCursorText(text);
    } catch (error) {
      thrown = error;
    }
    expect(isSuturaError(thrown, 'request.invalid') && thrown.facts.errors?.[0]?.pointer).toBe('/query/cursor');
  });

  it('comes back as it went out', () => {
    const cursor = { createdAt: new Date('2025-11-20T09:01:12.408Z'), id: JOB_ID };
    expect(fromCursorText(toCursorText(cursor))).toEqual(cursor);
    expect(fromCursorText(jobListExample.nextCursor).id).toBe(JOB_ID);
  });
});

describe('a page of a look-up', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 8, minute));
  const item = (minute: number) => ({ id: JOB_ID.slice(0, -2) + String(10 + minute), listedAt: at(minute) });
  const read = (items: readonly ReturnType<typeof item>[], lookedTo: Date | null, query: object = { limit: '2' }) =>
    readLookUp(query, () => Promise.resolve({ items, lookedTo }));

  it('ends where it came to the end', async () => {
    expect(await read([item(9), item(8)], null)).toEqual({ items: [item(9), item(8)], nextCursor: null });
  });

  it('goes on behind its last item where it is full, and says what is too new for the pages behind', async () => {
    const { items, nextCursor } = await read([item(9), item(8), item(7)], null);
    expect(items).toEqual([item(9), item(8)]);
    expect(fromCursorText(nextCursor!)).toEqual({ createdAt: at(8), id: item(8).id, until: at(9) });
    const later = await read([item(7), item(6), item(5)], null, { limit: '2', cursor: nextCursor! });
    expect(fromCursorText(later.nextCursor!)).toMatchObject({ createdAt: at(6), until: at(9) });
  });

  it('has few items, or none, where it looked at enough, and leaves those of the last moment for the next', async () => {
    const few = await read([item(9), item(5)], at(5));
    expect(few.items).toEqual([item(9)]);
    expect(fromCursorText(few.nextCursor!)).toEqual({
      createdAt: at(5),
      id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      until: at(9),
    });
    const none = await read([], at(5));
    expect([none.items, fromCursorText(none.nextCursor!).until]).toEqual([[], at(5)]);
  });
});
