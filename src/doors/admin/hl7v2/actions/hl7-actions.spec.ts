import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import { runCli } from '../../../../platform/cli/run-cli.js';
import { MllpListener } from '../../../../standards/hl7v2/mllp/mllp-listener.js';
import type { OperatorAct } from '../../../../core/audit/operator-trail.js';
import { Names } from '../../../../core/organizations/name-directory.js';
import { HL7_EXAMPLES, IDS } from './hl7-admin.examples.js';
import { HL7_ADMIN_GROUPS } from './hl7-groups.js';

const asked: unknown[][] = [];
const acts: OperatorAct[] = [];
const note =
  <T>(name: string, answer: T) =>
  (...given: unknown[]): Promise<T> => {
    asked.push([name, ...given.filter((one) => one !== OPERATOR && typeof one !== 'function')]);
    return Promise.resolve(answer);
  };
const OPERATOR = { door: 'cli', name: 'operator:root' };
const MADE = new Date(HL7_EXAMPLES.listener.createdAt);
const { organizationId, environment, name, enabled } = HL7_EXAMPLES.listener;
const peer = { organizationId, environment, name, enabled, createdAt: MADE };
const LISTENER = { ...peer, id: IDS.listener, settings: HL7_EXAMPLES.listener.settings };
const DESTINATION = { ...peer, id: IDS.destination, settings: HL7_EXAMPLES.destination.settings };

let listeners: { readonly id: string }[] = [LISTENER];
let standings = new Map<string, object>();
const services = {
  organizations: { findOrganization: () => Promise.resolve({}) },
  operator: OPERATOR,
  trail: { record: (_: unknown, act: OperatorAct) => Promise.resolve(void acts.push(act)) },
  listeners: {
    create: note('createListener', LISTENER),
    list: () => Promise.resolve(listeners),
    standing: () => Promise.resolve(LISTENER),
    change: note('changeListener', LISTENER),
    delete: note('deleteListener', undefined),
    requireOrganization: () => Promise.resolve(),
  },
  served: { standings: () => Promise.resolve(standings) },
  destinations: {
    create: note('createDestination', DESTINATION),
    all: () => Promise.resolve([DESTINATION]),
    find: () => Promise.resolve(DESTINATION),
    change: note('changeDestination', DESTINATION),
  },
  trial: { run: note('test', { reached: false, fault: 'unreachable ECONNREFUSED', certificate: null }) },
  removal: { remove: note('deleteDestination', HL7_EXAMPLES.removed) },
  messages: {
    listInbound: note('listInbound', [HL7_EXAMPLES.inbound]),
    listOutbound: note('listOutbound', []),
    listParked: note('listParked', []),
    show: note('show', HL7_EXAMPLES.message),
    replay: note('replay', undefined),
    requeue: (_: unknown, id: string) => Promise.reject(new SuturaError('hl7.not_parked', { detail: `asked ${id}` })),
    requeueAll: note('requeueAll', 3),
    retry: note('retry', undefined),
    park: note('park', undefined),
    move: note('move', IDS.message),
    discard: note('discard', undefined),
    erase: note('erase', HL7_EXAMPLES.erased),
  },
  names: { namesOf: () => Promise.resolve(new Names([])) },
  dryRun: { run: note('tryMessage', HL7_EXAMPLES.dryRun) },
};

let folder: string;
let file: string;
let opened = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sutura-hl7-'));
  file = join(folder, 'message.hl7');
  await writeFile(file, HL7_EXAMPLES.message.message.replace(/\r/g, '\r\n'));
});

beforeEach(() => {
  asked.length = 0;
  acts.length = 0;
  listeners = [LISTENER];
  standings = new Map();
  opened = 0;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const COMMANDS = HL7_ADMIN_GROUPS.flatMap(({ commands }) => commands.commands as never[]);

async function run(...words: string[]) {
  let out = '';
  let err = '';
  const open = () => {
    opened += 1;
    return Promise.resolve(services as never);
  };
  const code = await runCli(words, COMMANDS, open, {
    out: (text) => (out += `${text}\n`),
    err: (text) => (err += `${text}\n`),
  });
  return { code, out, err };
}

const owner = ['--org', IDS.organization, '--env', 'test', '--name', 'ward'];

describe('misuse ends with 2 and opens nothing', () => {
  test.each([
    [['hl7', 'listener', 'create', ...owner], '--port is missing'],
    [['hl7', 'listener', 'create', ...owner, '--port', 'many'], '--port must be a number'],
    [['hl7', 'listener', 'create', ...owner, '--port', '99999'], 'The setting port'],
    [
      ['hl7', 'listener', 'create', ...owner, '--port', '2576', '--settings', '[1]'],
      '--settings must be a JSON object',
    ],
    [['hl7', 'listener', 'create', ...owner, '--port', '2576', '--settings', '{"colour":"red"}'], 'settings'],
    [['hl7', 'listener', 'create', ...owner, '--port', '2576', '--tls-cert', 'a.pem'], 'The setting tls'],
    [['hl7', 'destination', 'create', ...owner, '--port', '2580'], '--host is missing'],
    [
      ['hl7', 'destination', 'create', '--org', 'x', '--env', 'test', '--name', 'n', '--host', 'h', '--port', '1'],
      '--org',
    ],
    [['hl7', 'destination', 'set', '--port', '2580'], '--id is missing'],
    [['hl7', 'destination', 'set', '--id', IDS.destination], 'Name what is to be changed'],
    [['hl7', 'destination', 'set', '--id', IDS.destination, '--settings', '"x"'], '--settings must be a JSON object'],
    [['hl7', 'destination', 'delete', '--id', IDS.destination, '--queue', 'forget'], '--queue'],
    [['hl7', 'destination', 'delete', '--id', IDS.destination, '--queue', 'move'], '--to is missing'],
    [
      ['hl7', 'destination', 'delete', '--id', IDS.destination, '--queue', 'park', '--to', IDS.destination],
      '--to belongs to --queue move',
    ],
    [['hl7', 'requeue'], 'Name one message with --id, or a destination with --destination'],
    [['hl7', 'requeue', '--id', IDS.message, '--destination', IDS.destination], 'Name one message'],
    [['hl7', 'move', '--id', IDS.message], '--to is missing'],
    [['hl7', 'messages', '--state', 'eaten'], '--state'],
    [['hl7', 'messages', '--limit', '0'], '--limit'],
    [['hl7', 'messages', '--from', 'yesterday'], '--from must be a moment'],
    [['hl7', 'messages', '--out', '--listener', IDS.listener], 'listener'],
    [['hl7', 'export', '--order', 'ORD-1'], '--into is missing'],
    [['hl7', 'export', '--into', 'x', '--limit', '0'], '--limit must be a number'],
    [['hl7', 'replay', '--from', '2026-03-15'], '--to is missing'],
    [['hl7', 'replay', '--from', '2026-03-15', '--to', '2026-03-16'], '--listener is missing'],
    [['hl7', 'replay', '--out', '--from', '2026-03-15', '--to', '2026-03-16'], '--destination is missing'],
    [['hl7', 'show'], '--id is missing'],
    [['hl7', 'erase', '--id', IDS.message], 'This cannot be undone'],
    [['hl7', 'send', '--to', 'localhost:2575'], 'FILE is missing'],
    [['hl7', 'send', 'a.hl7', 'b.hl7', '--to', 'localhost:2575'], "Unexpected argument 'b.hl7'"],
    [['hl7', 'send', 'a.hl7', '--to', 'localhost'], '--to must be HOST:PORT'],
  ])('%j', async (words, told) => {
    const { code, err } = await run(...words);
    expect([code, opened]).toEqual([2, 0]);
    expect(err).toContain(told);
  });
});

describe('what is asked for', () => {
  it('a listener with its settings', async () => {
    const { code } = await run(
      'hl7',
      'listener',
      'create',
      ...owner,
      '--port',
      '2576',
      '--host',
      '10.20.0.5',
      '--tls-cert',
      'c.pem',
      '--tls-key',
      'k.pem',
      '--settings',
      '{"autoAnalyze":true}',
    );
    expect(code).toBe(0);
    expect(asked).toEqual([
      [
        'createListener',
        { organizationId: IDS.organization, environment: 'test' },
        'ward',
        expect.objectContaining({
          port: 2576,
          host: '10.20.0.5',
          autoAnalyze: true,
          tls: { certFile: 'c.pem', keyFile: 'k.pem', clientCertificate: 'none', clientNames: [] },
        }),
      ],
    ]);
  });

  it('which listeners are served, and why others are not [H18]', async () => {
    const standing = { served: true, notServedReason: null, certificateDays: 12 };
    const ids = ['served', 'busy', 'paused'];
    listeners = ids.map((id) => ({ ...LISTENER, id }));
    standings = new Map<string, object>([
      ['served', standing],
      ['busy', { ...standing, served: false, notServedReason: 'EADDRINUSE' }],
    ]);
    const [, served, busy, paused] = (await run('hl7', 'listener', 'list')).out.split('\n');
    expect(served).toMatch(/ yes +12$/);
    expect(busy).toContain('no (EADDRINUSE)');
    expect(paused).not.toMatch(/ yes| no \(/);
  });

  it('a destination with its settings', async () => {
    await run(
      'hl7',
      'destination',
      'create',
      ...owner,
      '--host',
      'ehr.example.org',
      '--port',
      '2580',
      '--version',
      '2.4',
      '--receiving-app',
      'EHR',
      '--settings',
      '{"pdf":"rp"}',
    );
    expect(asked).toEqual([
      [
        'createDestination',
        { organizationId: IDS.organization, environment: 'test' },
        'ward',
        expect.objectContaining({
          host: 'ehr.example.org',
          port: 2580,
          version: '2.4',
          receivingApplication: 'EHR',
          pdf: 'rp',
        }),
      ],
    ]);
  });

  it('what changes of a listener or a destination, and nothing else', async () => {
    await run(
      'hl7',
      'destination',
      'set',
      '--id',
      IDS.destination,
      '--host',
      'new.example.org',
      '--settings',
      '{"country":null}',
    );
    await run('hl7', 'destination', 'pause', '--id', IDS.destination);
    await run('hl7', 'listener', 'set', '--id', IDS.listener, '--port', '2600', '--name', 'ward 2');
    await run('hl7', 'listener', 'resume', '--id', IDS.listener);
    expect(asked).toEqual([
      ['changeDestination', IDS.destination, { settings: { host: 'new.example.org', country: null } }],
      ['changeDestination', IDS.destination, { enabled: false }],
      ['changeListener', IDS.listener, { name: 'ward 2', settings: { port: 2600 } }],
      ['changeListener', IDS.listener, { enabled: true }],
    ]);
    expect(acts.map(({ interaction }) => interaction)).toEqual(['update', '$pause', 'update', '$resume']);
  });

  it('a line that is tried, and what becomes of a queue', async () => {
    const tried = await run('hl7', 'destination', 'test', '--id', IDS.destination);
    expect([tried.code, tried.out]).toEqual([1, expect.stringContaining('unreachable ECONNREFUSED')]);
    expect(
      (await run('hl7', 'destination', 'delete', '--id', IDS.destination, '--queue', 'move', '--to', IDS.destination))
        .out,
    ).toContain('3 messages are parked');
    await run('hl7', 'destination', 'delete', '--id', IDS.destination);
    expect(asked.slice(1)).toEqual([
      ['deleteDestination', IDS.destination, { kind: 'move', destinationId: IDS.destination }],
      ['deleteDestination', IDS.destination, null],
    ]);
  });

  it('what a person does with what goes out', async () => {
    await run('hl7', 'requeue', '--destination', IDS.destination);
    await run('hl7', 'retry', '--id', IDS.message);
    await run('hl7', 'park', '--id', IDS.message);
    await run('hl7', 'move', '--id', IDS.message, '--to', IDS.destination);
    expect(asked).toEqual([
      ['requeueAll', IDS.destination],
      ['retry', IDS.message],
      ['park', IDS.message],
      ['move', IDS.message, IDS.destination],
    ]);
  });

  it('messages in or out, and the parked ones', async () => {
    await run('hl7', 'messages', '--org', IDS.organization, '--state', 'failed', '--limit', '5');
    await run('hl7', 'messages', '--out', '--destination', IDS.destination);
    await run('hl7', 'parked');
    expect(asked).toEqual([
      ['listInbound', expect.objectContaining({ organizationId: IDS.organization, state: 'failed', limit: 5 })],
      ['listOutbound', expect.objectContaining({ destinationId: IDS.destination, limit: 100 })],
      ['listParked', expect.anything()],
    ]);
  });

  it('one message to be shown, replayed or given up; a refusal ends with 1', async () => {
    expect((await run('hl7', 'show', '--id', IDS.message)).out).toContain('PID|1||MRN-778812^^^HOSP^MR\n');
    await run('hl7', 'replay', '--id', IDS.message);
    await run('hl7', 'discard', '--id', IDS.message);
    expect(asked.map(([name]) => name)).toEqual(['show', 'replay', 'discard']);
    const refused = await run('hl7', 'requeue', '--id', IDS.message, '--json');
    expect([refused.code, JSON.parse(refused.err)]).toEqual([
      1,
      { error: expect.objectContaining({ code: 'hl7.not_parked' }) as unknown },
    ]);
  });

  it('a message whose photo is to go', async () => {
    expect((await run('hl7', 'erase', '--id', IDS.message, '--yes')).out).toBe(
      `1 files of 48213 bytes are no longer in message ${IDS.message}.\n`,
    );
    expect(asked).toEqual([['erase', IDS.message]]);
  });

  it('a message to be tried', async () => {
    const { code, out } = await run('hl7', 'dry-run', file, '--listener', IDS.listener);
    expect(code).toBe(0);
    expect(out).toContain('"resourceType": "Bundle"');
    expect(asked).toEqual([['tryMessage', expect.any(Buffer), IDS.listener]]);
    const byItself = await run('hl7', 'dry-run', file);
    expect([byItself.code, asked.at(-1)]).toEqual([0, ['tryMessage', expect.any(Buffer), IDS.listener]]);
    listeners = [];
    expect(await run('hl7', 'dry-run', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no listener') as unknown,
    });
    listeners = [LISTENER, LISTENER];
    expect(await run('hl7', 'dry-run', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('several listeners') as unknown,
    });
    expect((await run('hl7', 'dry-run', join(folder, 'nothing'), '--listener', IDS.listener)).err).toContain(
      'hl7.unreadable',
    );
  });
});

describe('hl7 send', () => {
  let server: MllpListener;
  const received: string[] = [];
  let answer = 'AA';

  beforeAll(async () => {
    server = new MllpListener(
      { host: '127.0.0.1', port: 0, tls: null, maxFrameBytes: 65_536 },
      {
        onFrame: (message) => {
          received.push(Buffer.from(message).toString());
          return Promise.resolve(Buffer.from(HL7_EXAMPLES.message.ack!.replace('MSA|AA', `MSA|${answer}`)));
        },
        onOversize: () => Promise.resolve(null),
      },
    );
    await server.start();
  });

  afterAll(() => server.stop());

  it('opens no database, sends segments that end with CR, and shows the acknowledgment', async () => {
    const { code, out } = await run('hl7', 'send', file, '--to', `127.0.0.1:${server.port}`);
    expect([code, opened, received.at(-1)]).toEqual([0, 0, HL7_EXAMPLES.message.message]);
    expect(out).toContain('MSA|AA|MSG00071');
  });

  it('ends with 1 where the message was refused, and where nobody answers', async () => {
    answer = 'AE';
    expect((await run('hl7', 'send', file, '--to', `127.0.0.1:${server.port}`)).code).toBe(1);
    const { port } = server;
    await server.stop();
    expect((await run('hl7', 'send', file, '--to', `127.0.0.1:${port}`)).err).toContain('hl7.no_answer');
  });
});
