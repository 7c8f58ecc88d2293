import { once } from 'node:events';
import { request as open, type ClientRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { Controller, HttpCode, Module, Post, Req, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Logger } from '../logging/logger.js';
import { HttpAdapter } from './http.adapter.js';
import { HttpModule } from './http.module.js';
import { readUnread } from './unread-bodies.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const BUDGET_MIB = 8;

/** Answers once everything has come, or, where it is asked to, once it may. */
class Worker {
  readonly held = new Map<string, () => void>();

  async until(name: string | undefined): Promise<void> {
    if (name !== undefined) await new Promise<void>((resolve) => this.held.set(name, resolve));
  }
}
const worker = new Worker();

@Controller('door')
class DoorController {
  @Post()
  @HttpCode(200)
  async take(@Req() request: FastifyRequest): Promise<object> {
    const bytes = await readUnread(request, { limitBytes: 64 * MIB, timeoutMs: 60_000 });
    await worker.until(request.headers['x-hold'] as string | undefined);
    return { length: bytes.length };
  }
}

@Module({ controllers: [DoorController] })
class DoorModule {}

@Module({})
class TestModule {
  static register(logger: Logger): DynamicModule {
    return {
      module: TestModule,
      global: true,
      imports: [HttpModule, DoorModule],
      providers: [{ provide: Logger, useValue: logger }],
      exports: [Logger],
    };
  }
}

interface Heard {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly body: { readonly code?: string; readonly length?: number; readonly detail?: string };
}

describe('the bodies that a process holds at once', () => {
  const adapter = new HttpAdapter({ http: { trustProxy: false }, tls: {}, limits: { bodiesMib: BUDGET_MIB } } as never);
  let app: NestFastifyApplication;
  let port: number;
  const requests = new Set<ClientRequest>();

  beforeAll(async () => {
    adapter.unreadBodies.claim('/door');
    adapter.getInstance<FastifyInstance>().addHook('onRequest', ({ note, headers }, _reply, done) => {
      note!.caller = { organizationId: String(headers['x-organization']), environment: 'test', keyId: 'key' };
      done();
    });
    app = await NestFactory.create<NestFastifyApplication>(TestModule.register(Logger.create('silent')), adapter, {
      logger: false,
    });
    await app.listen(0, '127.0.0.1');
    port = Number(new URL(await app.getUrl()).port);
  });
  afterEach(async () => {
    worker.held.forEach((goOn) => goOn());
    worker.held.clear();
    const ended = [...requests]
      .filter(({ destroyed }) => !destroyed)
      .map((one) => new Promise((resolve) => one.once('close', resolve)));
    requests.forEach((one) => one.destroy());
    requests.clear();
    await Promise.all(ended);
    while (adapter.getInstance<FastifyInstance>().bodyBudget!.heldBytes > 0)
      await new Promise((resolve) => setImmediate(resolve));
  });
  afterAll(() => app.close());

  /** A request whose body is sent piece by piece. `announced` null: in chunks. */
  function begin(organization: string, announced: number | null, headers: Record<string, string> = {}) {
    const length = announced === null ? {} : { 'content-length': String(announced) };
    const sending = open({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/door',
      headers: { 'x-organization': organization, 'content-type': 'text/plain', ...length, ...headers },
    });
    sending.on('error', () => undefined).flushHeaders();
    requests.add(sending);
    const answer = once(sending, 'response').then(async ([response]: IncomingMessage[]): Promise<Heard> => ({
      status: response!.statusCode,
      retryAfter: response!.headers['retry-after'],
      body: (await json(response!)) as Heard['body'],
    }));
    // A request that a test cuts off has no answer.
    answer.catch(() => undefined);
    return {
      answer,
      write: (bytes: number) =>
        new Promise<void>((resolve) => sending.write(Buffer.alloc(bytes, 'x'), () => resolve())),
      end: () => sending.end(),
      cut: () => sending.destroy(),
    };
  }

  /** A whole body of an organization that is still being worked on. */
  async function hold(organization: string, bytes: number): Promise<{ letGo(): Promise<Heard> }> {
    const name = `${organization}-${worker.held.size}`;
    const sent = begin(organization, bytes, { 'x-hold': name });
    await sent.write(bytes);
    sent.end();
    while (!worker.held.has(name)) await new Promise((resolve) => setImmediate(resolve));
    return {
      letGo: () => {
        worker.held.get(name)!();
        return sent.answer;
      },
    };
  }

  async function send(organization: string, bytes: number): Promise<Heard> {
    const sent = begin(organization, bytes);
    void sent.write(bytes);
    sent.end();
    return sent.answer;
  }

  const BUSY = {
    status: 503,
    retryAfter: '5',
    body: {
      code: 'service.busy',
      detail: expect.stringContaining('Send the request again after Retry-After') as string,
    },
  };

  it('refuse a large one that is announced and has no room, before a byte of it is sent', async () => {
    for (const organization of ['a', 'b']) await hold(organization, 3 * MIB);
    expect(await begin('c', 3 * MIB).answer).toMatchObject(BUSY);
  });

  it('refuse one that does not say its length as soon as it has no room', async () => {
    for (const organization of ['a', 'b']) await hold(organization, 3 * MIB);
    const endless = begin('c', null);
    for (let sent = 0; sent < 3; sent += 1) void endless.write(MIB);
    expect(await endless.answer).toMatchObject(BUSY);
  });

  it('refuse an organization what is beyond its half, and nobody else', async () => {
    await hold('a', 3 * MIB);
    expect(await send('a', 2 * MIB)).toMatchObject(BUSY);
    expect(await send('b', 2 * MIB)).toMatchObject({ status: 200, body: { length: 2 * MIB } });
  });

  it('take small ones whatever else is held', async () => {
    for (const organization of ['a', 'b']) await hold(organization, 4 * MIB);
    expect(await send('a', 200 * KIB)).toMatchObject({ status: 200 });
    expect(await send('c', 200 * KIB)).toMatchObject({ status: 200 });
    expect(await send('c', 300 * KIB)).toMatchObject(BUSY);
  });

  it('are not those that were announced and did not come', async () => {
    for (let silent = 0; silent < 20; silent += 1) begin('a', 4 * MIB);
    expect(await send('a', 3 * MIB)).toMatchObject({ status: 200 });
  });

  it('make room with their answer, and where their sender goes', async () => {
    const first = await hold('a', 4 * MIB);
    const second = begin('b', 4 * MIB);
    await second.write(3 * MIB);
    const sent = () => send('c', 4 * MIB);
    let refused = await sent();
    expect(refused).toMatchObject(BUSY);
    expect(await first.letGo()).toMatchObject({ status: 200 });
    second.cut();
    for (let tries = 0; refused.status === 503 && tries < 200; tries += 1) refused = await sent();
    expect(refused).toMatchObject({ status: 200, body: { length: 4 * MIB } });
  });

  it('make room where they are refused themselves', async () => {
    await hold('a', 4 * MIB);
    const chunks = begin('b', null);
    for (let sent = 0; sent < 5; sent += 1) void chunks.write(MIB);
    expect(await chunks.answer).toMatchObject(BUSY);
    expect(await send('b', 4 * MIB)).toMatchObject({ status: 200 });
  });
});
