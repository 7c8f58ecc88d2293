import { isSuturaError } from '../../../core/errors/sutura-error.js';
import { jobListExample, JOB_ID } from '../route/examples.js';
import { fromCursorText, toCursorText } from './page.js';

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
