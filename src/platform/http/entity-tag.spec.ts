import { conditional, entityTagOf, matchesEntityTag } from './entity-tag.js';
import { jsonAnswer } from './http-answer.js';

describe('entity tags', () => {
  const answer = jsonAnswer(200, { a: 1 }, { 'retry-after': '1' });
  const tag = entityTagOf(answer.body as string);

  it.each([undefined, '', '"other"', tag.slice(1, -1)])('do not match %s', (header) => {
    expect(matchesEntityTag(header, tag)).toBe(false);
    expect(conditional(answer, header)).toMatchObject({ status: 200, body: '{"a":1}', headers: { etag: tag } });
  });

  it.each([tag, `W/${tag}`, `"other", ${tag}`, '*'])('match %s, and the body is left out', (header) => {
    expect(conditional(answer, header)).toEqual({
      status: 304,
      headers: { 'retry-after': '1', etag: tag },
      body: null,
    });
  });

  it('differ for different bodies', () => {
    expect(entityTagOf('{"a":2}')).not.toBe(tag);
  });
});
