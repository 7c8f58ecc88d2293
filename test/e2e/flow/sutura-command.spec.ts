import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { expectStatus, type ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { Webhook } from '../../support/standard-webhooks.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const PROGRAM = resolve(__dirname, '../../../sdk/javascript/dist/sutura.mjs');
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

let gateway: SharedGateway;
let client: ApiClient;
let folder: string;
let photos = 9900;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  if (!existsSync(PROGRAM)) throw new Error('The library is not built: "npm run build:sdk".');
  gateway = await sharedGateway();
  client = await gateway.createClient();
  folder = await mkdtemp(join(tmpdir(), 'sutura-command-'));
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly text: { out: string; err: string };
  /** The exit code; null: killed. */
  readonly ended: Promise<number | null>;
}

/** The command, with the key by the environment alone. */
function start(words: readonly string[], variables: Readonly<Record<string, string | null>> = {}): Run {
  const { PATH, HOME } = process.env;
  const given = { SUTURA_API_KEY: client.key, SUTURA_BASE_URL: gateway.baseUrl, ...variables };
  const env = Object.fromEntries(Object.entries({ PATH, HOME, ...given }).filter(([, value]) => value !== null));
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: folder, env: env as NodeJS.ProcessEnv });
  running.add(child);
  const text = { out: '', err: '' };
  child.stdout.on('data', (piece: Buffer) => (text.out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (text.err += piece.toString()));
  const ended = new Promise<number | null>((end) => {
    child.once('close', (code) => {
      running.delete(child);
      end(code);
    });
  });
  return { child, text, ended };
}

async function run(words: readonly string[], variables?: Readonly<Record<string, string | null>>) {
  const { text, ended } = start(words, variables);
  return { code: await ended, ...text };
}

const analyse = async (woundId: string) =>
  client.analyse(await drawSmallWoundPhoto({ seed: (photos += 1) }), { subject: { patientId: 'MRN-CLI', woundId } });
const logOf = async (): Promise<string[]> =>
  (expectStatus(200, await client.request('GET', '/api/v1/events?limit=100')).body.items as { id: string }[]).map(
    ({ id }) => id,
  );
const idsAt = (receiver: WebhookReceiver): string[] => receiver.received.map(({ id }) => id);

/** Between a listener and the gateway: a line that can be cut. */
class Line {
  private readonly sockets = new Set<Socket>();
  isCut = false;

  private constructor(private readonly server: Server) {}

  static async to(target: URL): Promise<Line> {
    const server = createServer();
    const line = new Line(server);
    server.on('connection', (near) => {
      if (line.isCut) return void near.destroy();
      const far = connect(Number(target.port), target.hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        line.sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => line.sockets.delete(socket));
        socket.pipe(other);
      }
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((closed) => this.server.close(closed));
  }
}

describe('the sutura command', () => {
  it('says how it is called, and with which code where it is called wrongly', async () => {
    expect(await run([])).toMatchObject({ code: 2, out: expect.stringContaining('listen --forward-to URL') as string });
    expect(await run(['--help'])).toMatchObject({ code: 0, err: '' });
    for (const name of ['listen', 'trigger', 'samples', 'upload', 'clock', 'logs'])
      expect(await run([name, '--help'], { SUTURA_API_KEY: null })).toMatchObject({
        code: 0,
        out: expect.stringContaining(`Usage: sutura ${name}`) as string,
      });
    for (const words of [
      ['burn'],
      ['listen'],
      ['listen', '--forward-to', 'localhost'],
      ['listen', '--port', '1'],
      ['upload'],
      ['upload', '--sample', 'x', 'y.jpg'],
      ['upload', 'x.jpg', '--wound', 'W'],
      ['trigger'],
      ['trigger', 'report.burnt'],
    ])
      expect({ words, code: (await run(words)).code }).toEqual({ words, code: 2 });
  });

  it('takes no key on its command line, goes without none, and shows none', async () => {
    const shown = await run(['logs', '--url', `http://127.0.0.1/${client.key!}`]);
    expect(shown).toMatchObject({ code: 2, err: expect.stringContaining('revoke that key') as string });
    expect(shown.err).not.toContain(client.key!);
    expect(await run(['logs'], { SUTURA_API_KEY: null })).toMatchObject({ code: 2 });
    const refused = await run(['logs'], { SUTURA_API_KEY: `sut_test_${'A'.repeat(38)}` });
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).not.toContain('AAAA');
  });

  it('with a live key makes nothing, and shows events only where that was said', async () => {
    const live = await gateway.createClient('enterprise', 'live');
    const SUTURA_API_KEY = live.key;
    for (const words of [
      ['upload', '--sample', 'clean-wound'],
      ['trigger', 'report.ready'],
    ])
      expect(await run([...words], { SUTURA_API_KEY })).toMatchObject({
        code: 1,
        err: expect.stringContaining('Nothing was sent') as string,
      });
    expect(expectStatus(200, await live.request('GET', '/api/v1/usage')).body.used).toBe(0);
    expect(await run(['logs'], { SUTURA_API_KEY })).toMatchObject({
      code: 1,
      err: expect.stringContaining('--live') as string,
    });
    expect(await run(['logs', '--live'], { SUTURA_API_KEY })).toMatchObject({ code: 0, out: '' });
    expect(await run(['listen', '--live', '--forward-to', 'http://192.0.2.1/'], { SUTURA_API_KEY })).toMatchObject({
      code: 2,
    });
    expect((await run(['samples'], { SUTURA_API_KEY })).out).toMatch(/^clean-wound /);
  });

  it('says the time of the test environment, moves it ahead, and never with a live key', async () => {
    const live = await gateway.createClient('enterprise', 'live');
    expect(await run(['clock', '--advance', 'P1D'], { SUTURA_API_KEY: live.key ?? '' })).toMatchObject({
      code: 1,
      out: '',
    });
    const SUTURA_API_KEY = (await gateway.createClient()).key ?? '';
    expect(await run(['clock', '--advance', 'P1D', '--set', '2030-01-01T00:00:00Z'], { SUTURA_API_KEY })).toMatchObject(
      {
        code: 2,
      },
    );
    expect(await run(['clock', '--advance', 'P1M'], { SUTURA_API_KEY })).toMatchObject({
      code: 1,
      err: expect.stringContaining('months and years') as string,
    });
    expect((await run(['clock'], { SUTURA_API_KEY })).out).toMatch(/^\S+Z {2}real time$/m);
    expect((await run(['clock', '--advance', 'P28D'], { SUTURA_API_KEY })).out).toMatch(/^\S+Z {2}28 days ahead$/m);
  });

  it('saves samples, and never over a file', async () => {
    const out = join(folder, 'photos');
    expect(await run(['samples', 'burnt', '--out', out])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no sample "burnt"') as string,
    });
    expect(await run(['samples', 'damaged', '--out', out])).toMatchObject({ code: 0 });
    const kept = resolve(__dirname, '../../../samples/damaged.jpg');
    expect(await readFile(join(out, 'damaged.jpg'))).toEqual(await readFile(kept));
    expect(await run(['samples', 'damaged', '--out', out])).toMatchObject({
      code: 1,
      err: expect.stringContaining('was left as it is') as string,
    });
  });

  it('saves copies of a sample that are none of the same photo', async () => {
    const copies: Buffer[] = [];
    for (const name of ['one', 'two']) {
      expect(await run(['samples', 'no-wound', '--fresh', '--out', join(folder, name)])).toMatchObject({ code: 0 });
      copies.push(await readFile(join(folder, name, 'no-wound.jpg')));
    }
    const kept = await readFile(resolve(__dirname, '../../../samples/no-wound.jpg'));
    expect(new Set([kept, ...copies].map((bytes) => bytes.toString('latin1'))).size).toBe(3);
  });

  it('has a sample analysed, as one patient’s, and an outcome that was asked for', async () => {
    const words = ['upload', '--sample', 'clean-wound', '--fresh', '--patient', 'MRN-CLI', '--wound', 'W-9'];
    const done = await run([...words, '--metadata', 'case=CLI-1', '--json']);
    expect(done).toMatchObject({ code: 0, err: '' });
    const job = JSON.parse(done.out) as { id: string; status: string };
    expect(job).toMatchObject({ status: 'completed', metadata: { case: 'CLI-1' }, subject: { patientId: 'MRN-CLI' } });
    const failed = await run(['upload', '--sample', 'clean-wound', '--fresh', '--outcome', 'job_failed']);
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('processing.failed') as string });
    expect(failed.out).toContain('asked for: job_failed');
    const lost = await run(['upload', '--sample', 'damaged']);
    expect(lost).toMatchObject({ code: 1, out: '' });
    expect((await run(['upload', 'none.jpg'])).code).toBe(1);
  });

  it('has events happen by real work, and refuses those that no work makes', async () => {
    expect(await run(['trigger', 'quota.threshold'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not triggered') as string,
    });
    for (const type of ['report.reviewed', 'wound.attention', 'analysis.failed']) {
      const done = await run(['trigger', type]);
      expect({ type, code: done.code, err: done.err }).toMatchObject({ type, code: 0 });
      const event = JSON.parse(done.out) as { id: string; type: string };
      expect(event.type).toBe(type);
      expect(await logOf()).toContain(event.id);
    }
    const { out } = await run(['logs', '--type', 'report.reviewed']);
    expect(out.trim().split('\n')).toHaveLength(1);
    expect(out).toMatch(/ report\.reviewed +\S+ .*reportId=/);
  });
});

describe('sutura listen', () => {
  it('forwards what happens from its start on, in order, signed, and each once through a cut line, a sick receiver and a kill', async () => {
    const receiver = await WebhookReceiver.start();
    const line = await Line.to(new URL(gateway.baseUrl));
    const words = ['listen', '--forward-to', receiver.url, '--url', line.url, '--state', 'place.json'];
    const variables = { SUTURA_WEBHOOK_SECRET: SECRET };
    try {
      const before = await logOf();
      const first = start(words, variables);
      await eventually('it listens', () => first.text.err.includes('Signed with'));
      await analyse('W-20');
      const news = async () => (await logOf()).slice(before.length);
      await eventually('the visit is forwarded', () => receiver.received.length >= 3);

      // The receiver is ill: the event comes again, and those behind it wait.
      receiver.reply = 500;
      await analyse('W-21');
      await eventually(
        'a second try',
        () => new Set(idsAt(receiver).slice(3)).size === 1 && receiver.received.length >= 5,
      );
      receiver.reply = 204;
      await eventually('the second visit', () => new Set(idsAt(receiver)).size >= 6);

      // The line is cut while something happens.
      line.cut();
      await analyse('W-22');
      await eventually('it notices', () => first.text.err.includes('It is asked again until it answers'));
      line.isCut = false;
      await eventually('the third visit', () => new Set(idsAt(receiver)).size >= 9);
      const tries = receiver.received.filter((_, at) => at >= 3);
      const taken = [...idsAt(receiver).slice(0, 3), ...new Set(tries.map(({ id }) => id))];
      expect(taken).toEqual(await news());

      // Killed, and started again after more has happened.
      await eventually('the place is kept', async () =>
        /"taken":\[\],"sequence":9/.test(await readFile(join(folder, 'place.json'), 'utf8')),
      );
      first.child.kill('SIGKILL');
      expect(await first.ended).toBeNull();
      receiver.forget();
      await analyse('W-23');
      const second = start(words, variables);
      await eventually('the fourth visit', () => receiver.received.length >= 3);
      expect(idsAt(receiver)).toEqual((await news()).slice(9));
      expect(receiver.received.map(({ event }) => (event as { data: { sequence: number } }).data.sequence)).toEqual([
        10, 11, 12,
      ]);
      for (const { body, headers } of receiver.received)
        expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toMatchObject({ data: {} });
      second.child.kill('SIGTERM');
      expect(await second.ended).toBe(0);
      expect(`${first.text.err}${second.text.err}${await readFile(join(folder, 'place.json'), 'utf8')}`).not.toContain(
        client.key!,
      );

      // Another key's or receiver's place is not gone on from.
      const stranger = await gateway.createClient();
      expect(await run(words, { ...variables, SUTURA_API_KEY: stranger.key })).toMatchObject({
        code: 1,
        err: expect.stringMatching(/another service, key, receiver or type.*--since 20/) as string,
      });
      const elsewhere = [...words.slice(0, 2), `${receiver.url}/other`, ...words.slice(3)];
      expect(await run(elsewhere, variables)).toMatchObject({
        code: 1,
        err: expect.stringContaining('another service, key, receiver or type') as string,
      });
    } finally {
      await line.close();
      await receiver.stop();
    }
  });

  it('begins where it is told, of one type, and ends where the receiver wants no more', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      receiver.reply = 410;
      const words = ['listen', '--forward-to', receiver.url, '--state', 'since.json', '--type', 'wound.opened'];
      const ended = await run([...words, '--since', '2026-01-01T00:00:00Z']);
      expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('answered 410') as string });
      expect(receiver.types).toEqual(['wound.opened']);
      const [refused] = idsAt(receiver);
      receiver.reply = 204;
      const again = start(words);
      await eventually('all of the type', () => receiver.received.length > 3);
      expect(idsAt(receiver)[1]).toBe(refused);
      expect(new Set(receiver.types)).toEqual(new Set(['wound.opened']));
      expect(/Signed with (whsec_\S+)/.exec(again.text.err)?.[1]).toBeDefined();
      again.child.kill('SIGINT');
      expect(await again.ended).toBe(0);
    } finally {
      await receiver.stop();
    }
  });

  it('says by its code that an upload which a signal ended is not done', async () => {
    const silent = createServer();
    const asked = new Promise((connected) => silent.once('connection', connected));
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as AddressInfo;
    try {
      const upload = start(['upload', '--sample', 'clean-wound'], { SUTURA_BASE_URL: `http://127.0.0.1:${port}` });
      await asked;
      upload.child.kill('SIGTERM');
      expect(await upload.ended).toBe(143);
    } finally {
      silent.close();
    }
  });
});
