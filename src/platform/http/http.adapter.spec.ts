import { connect } from 'node:net';
import { Controller, Get, Module, Param, Post, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { z } from 'zod';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { Logger } from '../logging/logger.js';
import { AcceptGuard } from './accept.guard.js';
import { HttpAdapter } from './http.adapter.js';
import type { HttpAnswer } from './http-answer.js';
import { HttpModule } from './http.module.js';
import { JSON_BODY_LIMIT_BYTES } from './limits.js';
import { Retiring } from './retiring.decorator.js';
import { JsonBody } from './zod.pipe.js';

const SECRET = 'Erika Mustermann, born 1950';

@Controller('things')
class ThingsController {
  @Get(':id')
  read(@Param('id') id: string): object {
    return { length: id.length };
  }

  @Post()
  create(@JsonBody(z.strictObject({ name: z.string() })) body: { name: string }): object {
    return { length: body.name.length };
  }

  @Get(':id/answer')
  answer(@Param('id') id: string): HttpAnswer {
    return { status: 203, headers: { 'content-type': 'text/plain', 'x-thing': id }, body: new Uint8Array([104, 105]) };
  }

  @Get(':id/fault')
  fault(): never {
    throw new Error(`insert into patients values ('${SECRET}') at /srv/sutura/secret.ts`);
  }

  @Get(':id/refusal')
  refusal(): never {
    throw new SuturaError('image.in_use', { retryAfterS: 2 });
  }

  @Get(':id/old')
  @Retiring({
    deprecatedAt: new Date('2026-01-01T00:00:00Z'),
    sunsetAt: new Date('2027-02-01T00:00:00Z'),
    successorUrl: 'https://sutura.example/api-docs',
  })
  old(): object {
    return {};
  }
}

@Module({ controllers: [ThingsController], providers: [{ provide: APP_GUARD, useClass: AcceptGuard }] })
class ThingsModule {}

@Module({})
class TestModule {
  static register(logger: Logger): DynamicModule {
    return {
      module: TestModule,
      global: true,
      imports: [HttpModule, ThingsModule],
      providers: [{ provide: Logger, useValue: logger }],
      exports: [Logger],
    };
  }
}

describe('the HTTP adapter', () => {
  let app: NestFastifyApplication;
  let base: string;
  const log: string[] = [];

  beforeAll(async () => {
    const logger = Logger.create('debug', { write: (line: string) => void log.push(line) });
    app = await NestFactory.create<NestFastifyApplication>(
      TestModule.register(logger),
      new HttpAdapter({ http: { trustProxy: false }, tls: {}, limits: { bodiesMib: 256 } } as never),
      {
        logger: false,
      },
    );
    await app.listen(0, '127.0.0.1');
    base = await app.getUrl();
  });

  afterAll(() => app.close());

  async function ask(
    path: string,
    options: RequestInit = {},
  ): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
    const answer = await fetch(`${base}${path}`, options);
    return {
      status: answer.status,
      headers: answer.headers,
      body: JSON.parse((await answer.text()) || '{}') as Record<string, unknown>,
    };
  }

  const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    ask('/things', { method: 'POST', body, headers });

  /** Everything the server answers to raw bytes, until it closes. */
  function speak(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(bytes));
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer));
      socket.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(answer) : reject(error),
      );
    });
  }

  it.each([
    ['broken JSON', '{"name":', 400, 'request.invalid'],
    ['no body', '', 400, 'request.invalid'],
    ['a body over the limit', JSON.stringify({ name: 'x'.repeat(JSON_BODY_LIMIT_BYTES) }), 413, 'request.too_large'],
    ['an unknown field', '{"name":"a","nmae":"b"}', 400, 'request.invalid'],
    ['a prototype key', '{"name":"a","__proto__":{"admin":true}}', 400, 'request.invalid'],
  ])('refuses %s', async (_, body, status, code) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status, body: { code, status } });
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  });

  it('refuses a body over the limit that does not say its length', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1024));
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    const answer = await fetch(`${base}/things`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit).catch(() => null);
    expect(answer?.status ?? 413).toBe(413);
  });

  it.each([
    ['another type', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['a body packed by another coding', { 'content-type': 'application/json', 'content-encoding': 'br' }],
    ['a body packed twice', { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip' }],
    ['a nonsense type', { 'content-type': 'json' }],
  ])('refuses %s', async (_, headers) => {
    expect(await post('{"name":"a"}', headers)).toMatchObject({ status: 415, body: { code: 'request.content_type' } });
  });

  it('tells an unknown path from a wrong method', async () => {
    expect(await ask('/unknown')).toMatchObject({ status: 404, body: { code: 'route.not_found' } });
    const wrong = await ask('/things/1', { method: 'DELETE' });
    expect(wrong).toMatchObject({ status: 405, body: { code: 'route.method_not_allowed' } });
    expect(wrong.headers.get('allow')).toBe('GET, HEAD');
    expect((await ask('/things', { method: 'OPTIONS' })).headers.get('allow')).toBe('POST');
  });

  it.each([
    ['a long address', `/things/${'x'.repeat(9000)}`, {}, 414, 'request.uri_too_long'],
    ['large headers', '/things/1', { 'x-large': 'x'.repeat(17 * 1024) }, 431, 'request.headers_too_large'],
    ['a bad percent-encoding', '/things/%zz', {}, 400, 'request.invalid'],
    ['a caller that wants no JSON', '/things/1', { accept: 'text/html' }, 406, 'request.not_acceptable'],
  ])('refuses %s', async (_, path, headers, status, code) => {
    const answer = await ask(path, { headers: headers as Record<string, string> });
    expect(answer).toMatchObject({ status, body: { code } });
    expect(answer.headers.get('x-request-id')).toBe(answer.body['requestId']);
  });

  it.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400, 'request.invalid'],
    [
      'an address beyond what Node reads',
      `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
      414,
      'request.uri_too_long',
    ],
    [
      'headers beyond what Node reads',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`,
      431,
      'request.headers_too_large',
    ],
  ])('answers %s with a problem too', async (_, bytes, status, code) => {
    const answer = await speak(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(`"code":"${code}"`);
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/);
  });

  it('hides what an unknown fault says, and logs its request id', async () => {
    const answer = await ask('/things/1/fault', { headers: { 'x-request-id': 'ehr-1' } });
    expect(answer).toMatchObject({ status: 500, body: { code: 'service.internal', requestId: 'ehr-1' } });
    const shown = JSON.stringify(answer.body) + log.join('');
    expect(shown).not.toContain(SECRET);
    expect(shown).not.toContain('insert into');
    expect(log.find((line) => line.includes('http.failed'))).toContain('"requestId":"ehr-1"');
  });

  it('renders a named refusal with its headers', async () => {
    const answer = await ask('/things/1/refusal?token=secret');
    expect(answer.status).toBe(409);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.body).toEqual({
      type: 'urn:sutura:error:image.in_use',
      title: 'Image in use',
      status: 409,
      detail: expect.any(String) as string,
      instance: '/things/1/refusal',
      code: 'image.in_use',
      requestId: answer.headers.get('x-request-id'),
    });
  });

  it('stamps every answer, and allows no other origin', async () => {
    for (const path of ['/things/1', '/unknown', '/things/1/fault', '/things/%zz']) {
      const { headers } = await ask(path, { headers: { origin: 'https://elsewhere.example' } });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-request-id')).toBeTruthy();
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('announces a retiring route', async () => {
    const { headers } = await ask('/things/1/old');
    expect(headers.get('deprecation')).toBe('@1767225600');
    expect(headers.get('sunset')).toBe('Mon, 01 Feb 2027 00:00:00 GMT');
    expect(headers.get('link')).toBe('<https://sutura.example/api-docs>; rel="successor-version"');
  });

  it('takes long path parameters and a body with a stated charset', async () => {
    expect((await ask(`/things/${'x'.repeat(500)}`)).body).toEqual({ length: 500 });
    expect((await post('{"name":"äb"}', { 'content-type': 'application/json; charset=UTF-8' })).body).toEqual({
      length: 2,
    });
  });

  it('sends the answer that a route returns as it is', async () => {
    const answer = await fetch(`${base}/things/a7/answer`);
    expect(answer.status).toBe(203);
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(answer.headers.get('x-thing')).toBe('a7');
    expect(await answer.text()).toBe('hi');
  });
});
