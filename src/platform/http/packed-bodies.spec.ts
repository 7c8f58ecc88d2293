import { connect } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Controller, Get, Header, Module, Post, Res, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Logger } from '../logging/logger.js';
import { conditional } from './entity-tag.js';
import { HttpAdapter } from './http.adapter.js';
import { jsonAnswer, sendAnswer } from './http-answer.js';
import { HttpModule } from './http.module.js';
import { JSON_BODY_LIMIT_BYTES } from './limits.js';
import { NeverPacked } from './packed-answers.js';
import { JsonBody } from './zod.pipe.js';

const LONG = { text: 'Wound of the left heel. '.repeat(100) };

@Controller('things')
class ThingsController {
  @Post()
  create(@JsonBody(z.strictObject({ name: z.string() })) body: { name: string }): object {
    return { length: body.name.length };
  }

  @Get('long')
  long(@Res() reply: FastifyReply): void {
    sendAnswer(reply, conditional(jsonAnswer(200, LONG), reply.request.headers['if-none-match']));
  }

  @Get('short')
  short(): object {
    return { text: 'short' };
  }

  @Get('photo')
  @Header('content-type', 'image/jpeg')
  photo(): Buffer {
    return Buffer.alloc(4096, 'jpeg');
  }

  @Get('part')
  part(@Res() reply: FastifyReply): void {
    void reply
      .headers({ 'content-type': 'text/plain', 'accept-ranges': 'bytes', etag: '"whole"' })
      .send(Buffer.alloc(4096, 'text'));
  }

  @Get('secret')
  @NeverPacked()
  secret(): object {
    return LONG;
  }
}

@Module({ controllers: [ThingsController] })
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

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await NestFactory.create<NestFastifyApplication>(
    TestModule.register(Logger.create('silent')),
    new HttpAdapter({ http: { trustProxy: false }, tls: {}, limits: { bodiesMib: 256 } } as never),
    { logger: false },
  );
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

describe('a request body packed by gzip', () => {
  const post = async (payload: Buffer, headers: Record<string, string> = {}) => {
    const {
      statusCode,
      body,
      headers: answered,
    } = await app.inject({
      method: 'POST',
      url: '/things',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', ...headers },
      payload,
    });
    return { status: statusCode, headers: answered, body: JSON.parse(body) as Record<string, unknown> };
  };
  const packed = gzipSync('{"name":"abc"}');

  it.each<[string, Buffer]>([
    ['that is not gzip', Buffer.from('{"name":"abc"}')],
    ['that ends too soon', packed.subarray(0, packed.length - 9)],
    ['without its checksum', packed.subarray(0, packed.length - 4)],
    ['with bytes behind its end', Buffer.concat([packed, Buffer.from('more')])],
    ['whose checksum differs', Buffer.concat([packed.subarray(0, packed.length - 8), Buffer.alloc(8)])],
    ['that holds no JSON', gzipSync('{"name":')],
  ])('is refused %s', async (_, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
  });

  it('is refused at the limit of what it holds, before the rest of it is unpacked', async () => {
    const blanks = Buffer.alloc(150 * 1024 * 1024, ' ');
    const bomb = gzipSync(blanks, { level: 9 });
    const before = process.memoryUsage().arrayBuffers;
    expect(bomb.length).toBeLessThan(JSON_BODY_LIMIT_BYTES);
    expect(await post(bomb)).toMatchObject({ status: 413, body: { code: 'request.too_large' } });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
    expect(blanks.length).toBeGreaterThan(100 * JSON_BODY_LIMIT_BYTES);
  });

  it('is refused for its length as it is, where next to nothing is in it', async () => {
    const name = Buffer.alloc(JSON_BODY_LIMIT_BYTES, 'n');
    // RFC 1952: a header with the name of a file of a quarter of a megabyte.
    const padded = Buffer.concat([
      packed.subarray(0, 3),
      Buffer.from([8]),
      packed.subarray(4, 10),
      name,
      Buffer.from([0]),
      packed.subarray(10),
    ]);
    expect(await post(padded)).toMatchObject({ status: 413 });
  });

  it('is refused where it is packed otherwise, with what is taken', async () => {
    for (const coding of ['br', 'deflate', 'zstd', 'gzip, gzip', 'gzip, identity']) {
      const answer = await post(packed, { 'content-encoding': coding });
      expect([answer.status, answer.body['code'], answer.headers['accept-encoding']]).toEqual([
        415,
        'request.content_type',
        'gzip, identity',
      ]);
    }
  });

  it.each(['gzip', 'GZIP', 'x-gzip'])('is taken as %s', async (coding) => {
    expect(await post(packed, { 'content-encoding': coding })).toMatchObject({ status: 201, body: { length: 3 } });
  });

  it('is taken in several members, as RFC 1952 has it', async () => {
    expect(await post(Buffer.concat([gzipSync('{"name":'), gzipSync('"abcd"}')]))).toMatchObject({
      status: 201,
      body: { length: 4 },
    });
  });

  it('is told where the connection broke off', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(address()).port), '127.0.0.1', () => {
        socket.end(
          `POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n${(5).toString(16)}\r\n`,
        );
      });
      let text = '';
      socket
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .on('close', () => resolve(text))
        .on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1.1 400 |^$/);
    expect(await post(packed)).toMatchObject({ status: 201 });
  });

  const address = (): string => `http://127.0.0.1:${(app.getHttpServer().address() as { port: number }).port}`;
});

describe('an answer', () => {
  const get = async (
    path: string,
    acceptEncoding?: string,
    more: Record<string, string> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ) => {
    const { statusCode, headers, rawPayload } = await app.inject({
      method,
      url: `/things/${path}`,
      headers: { ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }), ...more },
    });
    return { status: statusCode, headers, bytes: rawPayload };
  };

  it.each([undefined, '', 'identity', 'br', 'gzip;q=0', '*;q=0', 'gzip;q=0, *', 'identity, gzip;q=0.5'])(
    'is as it is for Accept-Encoding: %s',
    async (wish) => {
      const { headers, bytes } = await get('long', wish);
      expect(JSON.parse(bytes.toString())).toEqual(LONG);
      expect([headers['content-encoding'], headers.vary, headers['content-length']]).toEqual([
        undefined,
        'accept-encoding',
        String(bytes.length),
      ]);
      expect(headers.etag).toMatch(/^"/);
    },
  );

  it.each(['gzip', 'GZIP', 'br, gzip', 'gzip;q=0.5', '*', 'x-gzip', 'gzip, deflate'])(
    'is packed for Accept-Encoding: %s',
    async (wish) => {
      const { headers, bytes } = await get('long', wish);
      expect([headers['content-encoding'], headers.vary, headers['content-length']]).toEqual([
        'gzip',
        'accept-encoding',
        String(bytes.length),
      ]);
      expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(LONG);
      expect(bytes.length).toBeLessThan(200);
    },
  );

  it('has a weak tag where it is packed, by which it is not sent again', async () => {
    const [plain, packed] = [await get('long'), await get('long', 'gzip')];
    expect(packed.headers.etag).toBe(`W/${String(plain.headers.etag)}`);
    for (const tag of [plain, packed].map(({ headers }) => String(headers.etag))) {
      const again = await get('long', 'gzip', { 'if-none-match': tag });
      expect([again.status, again.bytes.length, again.headers.vary, again.headers['content-encoding']]).toEqual([
        304,
        0,
        'accept-encoding',
        undefined,
      ]);
    }
  });

  it('has the same headers for HEAD', async () => {
    const [whole, head] = [await get('long', 'gzip'), await get('long', 'gzip', {}, 'HEAD')];
    expect([head.headers['content-encoding'], head.headers['content-length'], head.bytes.length]).toEqual([
      'gzip',
      whole.headers['content-length'],
      0,
    ]);
  });

  it.each([
    ['is short', 'short', 'accept-encoding'],
    ['is a photo', 'photo', undefined],
    ['may be asked for in parts', 'part', undefined],
    ['holds a credential', 'secret', undefined],
  ])('is as it is where it %s', async (_, path, vary) => {
    const { headers } = await get(path, 'gzip');
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, vary]);
  });

  it('is packed where it is a refusal, too', async () => {
    const { status, headers, bytes } = await get(`nothing/${'x'.repeat(500)}`, 'gzip');
    expect(status).toBe(404);
    expect(JSON.parse((headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString())).toMatchObject({
      code: 'route.not_found',
    });
  });
});
