import { register } from 'prom-client';
import { connect as connectTls } from 'node:tls';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tenant } from '../../../../src/core/tenancy/tenant.js';
import { DemoListener } from '../../../../src/doors/hl7v2/inbox/listeners/demo-listener.js';
import { LISTENER_SETTINGS } from '../../../../src/doors/hl7v2/inbox/listeners/hl7-listener.js';
import { ListenerRepository } from '../../../../src/doors/hl7v2/inbox/listeners/listener.repository.js';
import { ServedListeners } from '../../../../src/doors/hl7v2/inbox/listeners/served-listeners.js';
import { ListenerSupervisor } from '../../../../src/doors/hl7v2/inbox/receiving/listener-supervisor.js';
import { ListenerProbe } from '../../../../src/doors/hl7v2/inbox/receiving/listener.probe.js';
import { DatabaseContext } from '../../../support/database-context.js';
import { eventually } from '../../../support/eventually.js';
import { freePort } from '../../../support/free-port.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';
import { makeTlsIdentity } from '../../../support/tls-identity.js';
import { InboxProcess, messageOf, Sender } from './inbox-ground.js';
import { TestSql } from './test-sql.js';

let database: TestDatabase;
let sql: TestSql;
let door: InboxProcess;
let tenant: Tenant;
let folder: string;
const senders: Sender[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sutura-listeners-'));
  database = await createTestDatabase();
  sql = await TestSql.open(database.url);
  const context = await DatabaseContext.open(database.url);
  tenant = await context.createTenant();
  await context.close();
  door = await InboxProcess.start(database.url, { HL7_MAX_BYTES: '2048', HL7_PORT: '0' });
});

afterEach(() => {
  for (const sender of senders.splice(0)) sender.close();
});

afterAll(async () => {
  await door?.close();
  await sql?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function sender(port: number): Promise<Sender> {
  const made = await Sender.open(port);
  senders.push(made);
  return made;
}

const repository = () => door.get(ListenerRepository);
const portOf = (id: string) => door.get(ListenerSupervisor).portOf(id);

describe('listeners', () => {
  it('are refused for an unknown organization, a taken name and a taken port', async () => {
    const port = await freePort();
    const settings = LISTENER_SETTINGS.parse({ port });
    await repository().create(tenant, 'first', settings);
    await expect(
      repository().create({ ...tenant, organizationId: '01997f2e-1111-7000-8000-000000000001' }, 'x', settings),
    ).rejects.toMatchObject({ code: 'organization.not_found' });
    await expect(repository().create(tenant, 'first', LISTENER_SETTINGS.parse({ port: 0 }))).rejects.toMatchObject({
      code: 'hl7.name_taken',
    });
    await expect(repository().create(tenant, 'second', settings)).rejects.toMatchObject({ code: 'hl7.port_taken' });
    await expect(repository().delete('01997f2e-1111-7000-8000-000000000001')).rejects.toMatchObject({
      code: 'hl7.listener_not_found',
    });
  });

  it('without TLS are not bound to an address that others reach', async () => {
    const made = await repository().create(tenant, 'open', LISTENER_SETTINGS.parse({ port: 0, host: '0.0.0.0' }));
    await door.get(ListenerSupervisor).look();
    expect(portOf(made.id)).toBeNull();
  });

  it('whose port another program has are tried again', async () => {
    const other = (await import('node:net')).createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const made = await repository().create(tenant, 'busy', LISTENER_SETTINGS.parse({ port }));
    await door.get(ListenerSupervisor).look();
    expect(portOf(made.id)).toBeNull();
    await expect(door.get(ListenerProbe).check()).resolves.toBeUndefined();
    await new Promise((closed) => other.close(closed));
    await eventually('it is served', () => portOf(made.id) === port);
  });

  it('are served and closed by a running process within 5 s', async () => {
    const made = await repository().create(tenant, 'new', LISTENER_SETTINGS.parse({ port: 0 }));
    const port = await eventually('it is served', () => portOf(made.id), 5000);
    const peer = await sender(port);
    expect((await peer.ask(messageOf())).code).toBe('AA');
    await repository().delete(made.id);
    await eventually('it is closed', () => portOf(made.id) === null && peer.isClosed, 5000);
    await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('[B5.4] answer a frame over the limit with AR 104 and close; the next connection is served', async () => {
    const { servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    const ack = await peer.ask(messageOf({ segments: [`PID|1||${'9'.repeat(4000)}`] }));
    expect([ack.code, ack.conditions]).toEqual(['AR', ['104']]);
    expect(await peer.next()).toBeNull();
    expect((await (await sender(servedOn)).ask(messageOf())).code).toBe('AA');
  });

  it('[B5.4] answer a frame over the limit with CE where the sender asked for an accept acknowledgment', async () => {
    const { servedOn } = await door.listener(tenant);
    const ack = await (
      await sender(servedOn)
    ).ask(messageOf({ accept: 'AL', segments: [`PID|1||${'9'.repeat(4000)}`] }));
    expect([ack.code, ack.conditions]).toEqual(['CE', ['104']]);
  });

  it('[B5.4] take no more connections than they may, and none from networks that are not theirs', async () => {
    const { servedOn } = await door.listener(tenant, { maxConnections: 1 });
    const first = await sender(servedOn);
    expect((await first.ask(messageOf())).code).toBe('AA');
    expect(await (await sender(servedOn)).next()).toBeNull();
    const { servedOn: elsewhere } = await door.listener(tenant, { networks: ['10.20.0.0/16'] });
    expect(await (await sender(elsewhere)).next()).toBeNull();
  });

  it('[F15] keep nothing of half a frame', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    peer.socket.write(Buffer.concat([Buffer.from([0x0b]), Buffer.from(messageOf().slice(0, 60))]));
    peer.close();
    expect((await (await sender(servedOn)).ask(messageOf())).code).toBe('AA');
    expect(await sql.rows('select from hl7_inbound where source_id = $1', [id])).toHaveLength(1);
  });

  it('[F16] take messages however they are cut, each once and in order', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const peer = await sender(servedOn);
    const frames = Array.from({ length: 20 }, (_, index) =>
      Buffer.concat([
        Buffer.from('junk'),
        Buffer.from([0x0b]),
        Buffer.from(messageOf({ controlId: `CUT${index}`, type: 'ADT^A02' })),
        Buffer.from([0x1c, 0x0d]),
      ]),
    );
    const bytes = Buffer.concat(frames);
    for (let at = 0; at < bytes.length;) {
      const size = 1 + ((at * 7919) % 97);
      peer.socket.write(bytes.subarray(at, at + size));
      at += size;
    }
    for (let index = 0; index < frames.length; index += 1)
      expect((await peer.next())?.includes(`MSA|AA|CUT${index}`)).toBe(true);
    const rows = await sql.rows<{ control_id: string }>(
      'select control_id from hl7_inbound where source_id = $1 order by sequence',
      [id],
    );
    expect(rows.map(({ control_id: controlId }) => controlId)).toEqual(frames.map((_, index) => `CUT${index}`));
  });

  it('leave a row of a peer whose messages have no beginning, or no end, with its address, once a day', async () => {
    const { id, servedOn } = await door.listener(tenant);
    const bare = await sender(servedOn);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      bare.socket.write(messageOf());
      expect((await bare.ask(messageOf())).code).toBe('AA');
    }
    const unended = await sender(servedOn);
    unended.socket.write(Buffer.concat([Buffer.from([0x0b]), Buffer.from(messageOf())]));
    expect((await unended.ask(messageOf())).code).toBe('AA');
    // Line ends behind a frame are no fault.
    unended.socket.write('\r\n');
    expect((await unended.ask(messageOf())).code).toBe('AA');
    const rows = await eventually('both are noted', async () => {
      const found = await sql.rows<{ address: string; problems: { text: string }[] }>(
        `select address, problems from hl7_inbound where source_id = $1 and state = 'failed' order by sequence`,
        [id],
      );
      return found.length >= 2 ? found : undefined;
    });
    expect(rows.map(({ address, problems }) => [address, problems[0]?.text.slice(0, 30)])).toEqual([
      ['127.0.0.1', 'Bytes came outside of a frame.'],
      ['127.0.0.1', 'The end of a frame did not com'],
    ]);
  });

  it('read messages by changed settings on connections that stay, and close them where the socket changes', async () => {
    const made = await door.listener(tenant, { processingIds: ['T'] });
    const peer = await sender(made.servedOn);
    expect((await peer.ask(messageOf())).code).toBe('AA');
    await repository().change(made.id, { settings: { processingIds: ['D'] } });
    await door.get(ListenerSupervisor).look();
    expect((await peer.ask(messageOf())).conditions).toEqual(['202']);
    await repository().change(made.id, { settings: { maxConnections: 5 } });
    await door.get(ListenerSupervisor).look();
    expect(await peer.next()).toBeNull();
  });

  it('speak TLS', async () => {
    const { key, cert } = makeTlsIdentity(['localhost']);
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    await Promise.all([writeFile(keyFile, key), writeFile(certFile, cert)]);
    const { servedOn } = await door.listener(tenant, { tls: { keyFile, certFile } });
    const socket = connectTls({ port: servedOn, host: '127.0.0.1', servername: 'localhost', ca: cert });
    await once(socket, 'secureConnect');
    socket.write(Buffer.concat([Buffer.from([0x0b]), Buffer.from(messageOf()), Buffer.from([0x1c, 0x0d])]));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('MSA|AA|');
    socket.destroy();
  });

  it('with names of clients need the authority that signed them, and its certificates required [H18]', () => {
    const files = { certFile: 'cert.pem', keyFile: 'key.pem', clientNames: ['ehr.example.org'] };
    for (const tls of [files, { ...files, caFile: 'ca.pem' }, { ...files, clientCertificate: 'required' }])
      expect(LISTENER_SETTINGS.safeParse({ port: 1, tls }).error?.issues[0]?.path).toEqual(['tls', 'clientNames']);
    expect(
      LISTENER_SETTINGS.safeParse({ port: 1, tls: { ...files, caFile: 'ca.pem', clientCertificate: 'required' } })
        .success,
    ).toBe(true);
  });

  it('serve a certificate whose files were replaced, and the one before until both fit together [H18]', async () => {
    const [first, second] = [makeTlsIdentity(['localhost']), makeTlsIdentity(['localhost'])];
    const [keyFile, certFile] = [join(folder, 'renewed-key.pem'), join(folder, 'renewed-cert.pem')];
    await Promise.all([writeFile(keyFile, first.key), writeFile(certFile, first.cert)]);
    const { servedOn } = await door.listener(tenant, { tls: { keyFile, certFile } });
    const open = async (ca: string) => {
      const socket = connectTls({ port: servedOn, host: '127.0.0.1', servername: 'localhost', ca });
      await once(socket, 'secureConnect');
      return socket;
    };
    const standing = await open(first.cert);
    await writeFile(keyFile, second.key);
    await door.get(ListenerSupervisor).look();
    (await open(first.cert)).destroy();
    await writeFile(certFile, second.cert);
    await door.get(ListenerSupervisor).look();
    (await open(second.cert)).destroy();
    standing.write(Buffer.concat([Buffer.from([0x0b]), Buffer.from(messageOf()), Buffer.from([0x1c, 0x0d])]));
    const [answer] = (await once(standing, 'data')) as [Buffer];
    expect(answer.toString()).toContain('MSA|AA|');
    standing.destroy();
  });

  it('that no gateway serves say so, with the reason, to every process and as a figure [H18]', async () => {
    const standing = async (id: string) => (await door.get(ServedListeners).standings()).get(id);
    const { key, cert } = makeTlsIdentity(['localhost']);
    const [keyFile, certFile] = [join(folder, 'told-key.pem'), join(folder, 'told-cert.pem')];
    await Promise.all([writeFile(keyFile, key), writeFile(certFile, cert)]);
    const unreadable = await repository().create(
      tenant,
      'no files',
      LISTENER_SETTINGS.parse({ port: 0, tls: { keyFile: '/nowhere/key.pem', certFile } }),
    );
    const paused = await repository().create(tenant, 'paused', LISTENER_SETTINGS.parse({ port: 0 }));
    await repository().change(paused.id, { enabled: false });
    const served = await door.listener(tenant, { tls: { keyFile, certFile } });
    expect(await standing(unreadable.id)).toEqual({
      listenerId: unreadable.id,
      served: false,
      notServedReason: 'ENOENT',
      certificateDays: null,
    });
    expect(await standing(paused.id)).toBeUndefined();
    expect(await standing(served.id)).toEqual({
      listenerId: served.id,
      served: true,
      notServedReason: null,
      certificateDays: expect.any(Number) as number,
    });
    const figures = await register.metrics();
    expect(figures).toContain(`sutura_hl7_listener_served{listener="${unreadable.id}"} 0`);
    expect(figures).toContain(`sutura_hl7_listener_served{listener="${served.id}"} 1`);
    expect(figures).toMatch(new RegExp(`sutura_hl7_listener_certificate_days\\{listener="${served.id}"\\} \\d`));
    const other = `insert into hl7_served_listeners (listener_id, gateway_id, seen_at) values ($1, '01997f2e-1111-7000-8000-000000000001', sutura_now() - interval '31 seconds') returning 1`;
    await sql.rows(other, [unreadable.id]);
    expect((await standing(unreadable.id))?.served).toBe(false);
    await sql.rows(
      'update hl7_served_listeners set seen_at = sutura_now() where listener_id = $1 and reason is null returning 1',
      [unreadable.id],
    );
    expect(await standing(unreadable.id)).toMatchObject({ served: true, notServedReason: null });
  });

  const silences = async (id: string) =>
    (await door.get(ServedListeners).silences()).find(({ listenerId }) => listenerId === id);

  it('say how long they have been silent, once they have had a message', async () => {
    const silence = async (id: string) => (await silences(id))?.silentS;
    const listener = await door.listener(tenant);
    expect(await silence(listener.id)).toBeNull();
    const peer = await Sender.open(listener.servedOn);
    await peer.ask(messageOf());
    peer.close();
    await sql.rows(
      `update hl7_inbound set received_at = received_at - interval '2 hours' where source_id = $1 returning 1`,
      [listener.id],
    );
    expect(Math.floor((await silence(listener.id))! / 3600)).toBe(2);
  });

  it('are silent where every message is refused, on receipt or once it was judged', async () => {
    const listener = await door.listener(tenant, { processingIds: ['T'] });
    const peer = await sender(listener.servedOn);
    expect((await peer.ask(messageOf())).code).toBe('AA');
    await sql.rows(
      `update hl7_inbound set received_at = received_at - interval '2 hours' where source_id = $1 returning 1`,
      [listener.id],
    );
    await repository().change(listener.id, { settings: { processingIds: ['D'] } });
    await door.get(ListenerSupervisor).look();
    expect((await peer.ask(messageOf())).conditions).toEqual(['202']);
    expect(Math.floor((await silences(listener.id))!.silentS! / 3600)).toBe(2);
    // As the one before would be, had it failed only when it was carried out.
    await sql.rows(`update hl7_inbound set state = 'failed' where source_id = $1 returning 1`, [listener.id]);
    expect((await silences(listener.id))?.silentS).toBeNull();
  });

  it('say how long silence is normal where their operator said so, and then are silent from the moment at which they were made', async () => {
    const { id } = await door.listener(tenant, { normalSilenceMinutes: 90 });
    await sql.rows(`update hl7_listeners set created_at = created_at - interval '3 hours' where id = $1 returning 1`, [
      id,
    ]);
    const before = await silences(id);
    expect([before?.normalS, Math.floor(before!.silentS! / 3600)]).toEqual([5400, 3]);
    await repository().change(id, { enabled: false });
    expect(await silences(id)).toBeUndefined();
  });

  it('of HTTP alone are silent, too, where their operator said what is normal, and only then', async () => {
    const parse = (settings: object) => LISTENER_SETTINGS.parse({ port: null, ...settings });
    const unsaid = await repository().create(tenant, 'unsaid', parse({}));
    const said = await repository().create(tenant, 'said', parse({ normalSilenceMinutes: 1 }));
    expect(await silences(unsaid.id)).toBeUndefined();
    expect(await silences(said.id)).toMatchObject({ normalS: 60, silentS: expect.any(Number) as number });
    await repository().change(said.id, { settings: { normalSilenceMinutes: null } });
    expect(await silences(said.id)).toBeUndefined();
  });

  it('that are paused and read POST /hl7v2 all the same are silent where their operator said what is normal', async () => {
    const settings = LISTENER_SETTINGS.parse({ port: null, http: true, normalSilenceMinutes: 1 });
    const { id } = await repository().create(tenant, 'paused but for HTTP', settings);
    await repository().change(id, { enabled: false });
    expect((await repository().ofHttp(tenant)).id).toBe(id);
    expect(await silences(id)).toMatchObject({ normalS: 60 });
    await repository().delete(id);
  });

  it('of the demo organization is made once, and follows HL7_PORT', async () => {
    await door.get(DemoListener).ensure(tenant);
    await door.get(DemoListener).ensure(tenant);
    const demo = (await repository().list()).filter(({ name }) => name === 'demo');
    expect(demo).toHaveLength(1);
    expect(demo[0]?.settings).toMatchObject({ port: 0, http: true });
  });
});
