import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { mediaTypeOf, namedTypeOf, readUnread, UnreadBodies } from './unread-bodies.js';

const STAND_IN = 'application/vnd.sutura.unread';

describe('bodies that are left unread', () => {
  let instance: FastifyInstance;

  beforeAll(async () => {
    instance = fastify();
    const unread = new UnreadBodies();
    unread.addTo(instance);
    unread.claim('/door');
    const answer = async (request: FastifyRequest): Promise<object> => {
      const parsed = request.body === request.raw ? null : request.body;
      return {
        parsed,
        named: namedTypeOf(request) ?? null,
        read: parsed === null ? (await readUnread(request, { limitBytes: 20, timeoutMs: 1000 })).toString() : null,
      };
    };
    for (const path of ['/door', '/door/room', '/doorway']) instance.post(path, answer);
    await instance.ready();
  });

  afterAll(() => instance.close());

  async function post(url: string, type: string | null, payload = '{"a":1}') {
    const { statusCode, body } = await instance.inject({
      method: 'POST',
      url,
      headers: type === null ? {} : { 'content-type': type },
      payload,
    });
    return { status: statusCode, ...(JSON.parse(body) as Record<string, unknown>) };
  }

  it.each(['/door', '/door?a=b', '/door/room'])('reads no body of %s before its route does', async (url) => {
    for (const type of ['application/json', 'image/jpeg', 'nonsense', STAND_IN])
      expect(await post(url, type)).toEqual({ status: 200, parsed: null, named: type, read: '{"a":1}' });
    expect(await post(url, null)).toMatchObject({ status: 200, named: null });
  });

  it('leaves its neighbours alone, where nobody may name the stand-in', async () => {
    expect(await post('/doorway', 'application/json')).toEqual({
      status: 200,
      parsed: { a: 1 },
      named: null,
      read: null,
    });
    expect(await post('/doorway', STAND_IN)).toMatchObject({ code: 'request.content_type' });
  });

  it('reads no more than the route allows', async () => {
    expect(await post('/door', 'text/plain', 'x'.repeat(21))).toMatchObject({ code: 'request.too_large' });
  });

  it.each([
    ['Application/JSON; charset=utf-8', 'application/json'],
    [' text/plain ', 'text/plain'],
    [undefined, ''],
  ])('takes %j for %j', (named, type) => {
    expect(mediaTypeOf(named)).toBe(type);
  });
});
