import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Body, Controller, Get, Global, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Logger } from '../logging/logger.js';
import { HttpAdapter } from './http.adapter.js';
import { HttpModule } from './http.module.js';
import { KEEP_ALIVE_TIMEOUT_MS } from './limits.js';
import type { DrainLimits } from './request-drain.js';

const FAST = 'GET /fast HTTP/1.1\r\nhost: a\r\n\r\n';
const SLOW = 'GET /slow HTTP/1.1\r\nhost: a\r\n\r\n';
/** So long that a test which had to wait for one would fail. */
const NEVER = KEEP_ALIVE_TIMEOUT_MS;

const begun: Array<(answer: string) => void> = [];

@Controller()
class TestController {
  @Get('fast')
  fast(): string {
    return 'fast';
  }

  /** Answers when the test says so. */
  @Get('slow')
  slow(): Promise<string> {
    return new Promise((resolve) => void begun.push(resolve));
  }

  @Post('body')
  take(@Body() body: object): object {
    return body;
  }
}

const logged: string[] = [];
const logger = Logger.create('debug', { write: (line: string) => void logged.push(line) });

@Global()
@Module({
  imports: [HttpModule],
  controllers: [TestController],
  providers: [{ provide: Logger, useValue: logger }],
  exports: [Logger],
})
class TestModule {}

/** One connection, and everything that comes over it. */
class Caller {
  text = '';
  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    socket.on('error', () => undefined);
  }

  static async connect(port: number, host = '127.0.0.1'): Promise<Caller> {
    const socket = connect(port, host);
    await once(socket, 'connect');
    return new Caller(socket);
  }

  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
  }

  /** Until this text has come. */
  async heard(text: string): Promise<void> {
    while (!this.text.includes(text)) await once(this.socket, 'data');
  }

  async closed(): Promise<void> {
    if (!this.socket.closed) await once(this.socket, 'close');
  }
}

describe('a graceful stop of the HTTP server', () => {
  let app: NestFastifyApplication;
  let port: number;
  const callers: Caller[] = [];

  async function start(limits: Partial<DrainLimits> = {}, host = '127.0.0.1'): Promise<void> {
    const adapter = new HttpAdapter({ http: { trustProxy: false }, tls: {}, limits: { bodiesMib: 256 } } as never, {
      logger,
      limits: { headMs: NEVER, answerMs: NEVER, ...limits },
    });
    app = await NestFactory.create<NestFastifyApplication>(TestModule, adapter, { logger: false, abortOnError: false });
    await app.listen(0, host);
    port = (app.getHttpServer().address() as { port: number }).port;
  }

  async function call(host?: string): Promise<Caller> {
    const caller = await Caller.connect(port, host);
    callers.push(caller);
    return caller;
  }

  /** A caller whose request is being worked on. */
  async function callSlowly(host?: string): Promise<Caller> {
    const caller = await call(host);
    const before = begun.length;
    caller.socket.write(SLOW);
    while (begun.length === before) await nextRound();
    return caller;
  }

  const nextRound = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  /** Until no connection is accepted any more. */
  async function refusing(): Promise<void> {
    while (app.getHttpServer().listening as boolean) await nextRound();
  }

  beforeEach(() => {
    begun.length = 0;
    logged.length = 0;
  });

  afterEach(async () => {
    for (const caller of callers.splice(0)) caller.socket.destroy();
    await app.close();
  });

  it('refuses new connections at once', async () => {
    await start();
    const held = await callSlowly();
    const stopped = app.close();
    await refusing();
    await expect(call()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    begun[0]?.('done');
    await Promise.all([stopped, held.closed()]);
    expect(held.statuses).toEqual([200]);
  });

  it('lets a page that may call read that it is refused', async () => {
    await start();
    const page = 'https://ehr.example.org';
    const { pageOrigins } = app.getHttpAdapter() as unknown as HttpAdapter;
    pageOrigins.claim('/body', (origin) => Promise.resolve(origin === page));
    const late = await call();
    late.socket.write(`${FAST}POST /body HTTP/1.1\r\n`);
    await late.heard('fast');
    const stopped = app.close();
    await refusing();
    late.socket.write(`host: a\r\norigin: ${page}\r\nsec-fetch-site: cross-site\r\ncontent-length: 0\r\n\r\n`);
    await late.closed();
    await stopped;
    expect(late.statuses).toEqual([200, 503]);
    expect(late.text.slice(late.text.indexOf('HTTP/1.1 503'))).toContain(`access-control-allow-origin: ${page}`);
  });

  it('refuses a request whose head ends after the stop, as a problem, and closes the connection', async () => {
    await start();
    const late = await call();
    late.socket.write(`${FAST}POST /body HTTP/1.1\r\n`);
    await late.heard('fast');
    const stopped = app.close();
    await refusing();
    late.socket.write('host: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
    await late.closed();
    await stopped;
    expect(late.statuses).toEqual([200, 503]);
    const refusal = late.text.slice(late.text.indexOf('HTTP/1.1 503'));
    expect(refusal).toMatch(/^connection: close\r$/im);
    expect(refusal).toMatch(/^retry-after: 2\r$/im);
    expect(refusal).toContain('"code":"service.unavailable"');
  });

  it('closes the connection after a late request that is no valid address, too', async () => {
    await start();
    const late = await call();
    late.socket.write(`${FAST}GET /%zz HTTP/1.1\r\n`);
    await late.heard('fast');
    const stopped = app.close();
    await refusing();
    late.socket.write('host: a\r\n\r\n');
    await late.closed();
    await stopped;
    expect(late.statuses).toEqual([200, 400]);
  });

  it('answers what was being worked on, and keeps no connection after it', async () => {
    await start();
    const held = await Promise.all([callSlowly(), callSlowly()]);
    const stopped = app.close();
    await refusing();
    for (const answer of begun) answer('done');
    await Promise.all(held.map((caller) => caller.closed()));
    await stopped;
    for (const caller of held) {
      expect(caller.statuses).toEqual([200]);
      expect(caller.text).toMatch(/^connection: close\r$/im);
    }
  });

  it('answers all that was sent in a row on one connection, and closes it after the last', async () => {
    await start();
    const caller = await callSlowly();
    caller.socket.write(SLOW);
    while (begun.length < 2) await nextRound();
    const stopped = app.close();
    await refusing();
    for (const answer of begun) answer('done');
    await caller.closed();
    await stopped;
    expect(caller.statuses).toEqual([200, 200]);
    expect(caller.text.match(/^connection: close\r$/gim)).toHaveLength(1);
  });

  it('answers what was sent before the stop and had not been read yet', async () => {
    await start();
    const caller = await call();
    caller.socket.write(FAST);
    await caller.heard('fast');
    caller.socket.write(FAST);
    await app.close();
    await caller.closed();
    expect(caller.statuses).toEqual([200, 200]);
  });

  it('does not wait for idle connections', async () => {
    await start();
    const idle = await call();
    idle.socket.write(FAST);
    await idle.heard('fast');
    await app.close();
    await idle.closed();
    expect(idle.statuses).toEqual([200]);
  });

  it('waits no longer than its limit for a connection that says nothing, or half a request', async () => {
    await start({ headMs: 20 });
    const silent = await call();
    const half = await call();
    half.socket.write(`${FAST}GET /fa`);
    await half.heard('fast');
    await app.close();
    await Promise.all([silent.closed(), half.closed()]);
    expect([silent.statuses, half.statuses]).toEqual([[], [200]]);
    expect(logged.join('')).not.toContain('cut_off');
  });

  it('waits no longer than its limit for an answer, and says how many it cut off', async () => {
    await start({ answerMs: 20 });
    const held = await callSlowly();
    const upload = await call();
    upload.socket.write(
      'POST /body HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 10\r\nexpect: 100-continue\r\n\r\n{',
    );
    await upload.heard('100 Continue');
    await app.close();
    await Promise.all([held.closed(), upload.closed()]);
    expect(
      logged.filter((line) => line.includes('http.requests_cut_off')).map((line) => JSON.parse(line) as object),
    ).toMatchObject([{ requests: 2 }]);
  });

  it('ends all the same where a caller has gone', async () => {
    await start();
    const gone = await callSlowly();
    const stopped = app.close();
    await refusing();
    gone.socket.destroy();
    await stopped;
  });

  it('waits for answers on both addresses of localhost', async () => {
    await start({}, 'localhost');
    const held = [await callSlowly('127.0.0.1'), await callSlowly('::1').catch(() => null)];
    let ended = false;
    const stopped = app.close().then(() => (ended = true));
    await refusing();
    expect(ended).toBe(false);
    for (const answer of begun) answer('done');
    await Promise.all(held.map(async (caller) => caller?.closed()));
    await stopped;
    for (const caller of held) expect(caller?.statuses ?? [200]).toEqual([200]);
  });

  it('stops once, however often it is asked', async () => {
    await start();
    const held = await callSlowly();
    const stops = [app.close(), app.close()];
    await refusing();
    begun[0]?.('done');
    await Promise.all([...stops, held.closed()]);
    expect(held.statuses).toEqual([200]);
  });
});
