import { once } from 'node:events';
import { connect } from 'node:net';
import { ManualTimers } from '../../../../test/peers/manual-timers.js';
import { frame } from '../../../../test/peers/mllp-frames.js';
import { EhrSender } from '../../../../test/peers/mllp-sender.js';
import { createAuthority } from '../../../../test/peers/test-certificates.js';
import type { MllpConnection, MllpHandler, MllpListenerEvent } from './mllp-handler.js';
import { MllpListener, type MllpListenerOptions } from './mllp-listener.js';

/** Answers `+` and the message; holds answers back where it is told to. */
class Echo implements MllpHandler {
  readonly received: string[] = [];
  readonly events: MllpListenerEvent[] = [];
  readonly connections = new Set<MllpConnection>();
  atOnce = 0;
  mostAtOnce = 0;
  answer: (message: string) => Promise<string | null> = (message) => Promise.resolve(`+${message}`);
  private watchers: (() => void)[] = [];

  async onFrame(bytes: Uint8Array, connection: MllpConnection): Promise<Uint8Array | null> {
    const message = Buffer.from(bytes).toString('utf8');
    this.received.push(message);
    this.connections.add(connection);
    this.changed();
    this.mostAtOnce = Math.max(this.mostAtOnce, (this.atOnce += 1));
    try {
      const answer = await this.answer(message);
      return answer === null ? null : Buffer.from(answer);
    } finally {
      this.atOnce -= 1;
    }
  }

  onOversize(beginning: Uint8Array): Promise<Uint8Array | null> {
    return Promise.resolve(Buffer.from(`too long: ${Buffer.from(beginning).toString('latin1').slice(0, 4)}`));
  }

  onEvent(event: MllpListenerEvent): void {
    this.events.push(event);
    this.changed();
  }

  kinds(): string[] {
    return this.events.map(({ kind }) => kind);
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((changed) => this.watchers.push(changed));
  }

  private changed(): void {
    for (const watcher of this.watchers.splice(0)) watcher();
  }
}

describe('the MLLP listener', () => {
  let timers: ManualTimers;
  let echo: Echo;
  let listener: MllpListener;
  const opened: EhrSender[] = [];

  async function listen(options: Partial<MllpListenerOptions> = {}): Promise<void> {
    listener = new MllpListener(
      { host: '127.0.0.1', port: 0, tls: null, maxFrameBytes: 20 * 1024 * 1024, timers, ...options },
      echo,
    );
    await listener.start();
  }

  async function connectSender(options: Parameters<typeof EhrSender.connect>[1] = {}): Promise<EhrSender> {
    const sender = await EhrSender.connect(listener.port, options);
    opened.push(sender);
    return sender;
  }

  beforeEach(() => {
    timers = new ManualTimers();
    echo = new Echo();
  });
  afterEach(async () => {
    for (const sender of opened.splice(0)) await sender.destroy();
    await listener.stop();
    expect(listener.connectionCount).toBe(0);
    expect(timers.count).toBe(0);
  });

  it('says why it cannot listen', async () => {
    await listen();
    const other = new MllpListener({ host: '127.0.0.1', port: listener.port, tls: null, maxFrameBytes: 1000 }, echo);
    await expect(other.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(
      () =>
        new MllpListener(
          { host: '127.0.0.1', port: 0, tls: null, maxFrameBytes: 1, allowedNetworks: ['10.0.0.0/8', 'anywhere'] },
          echo,
        ),
    ).toThrow(RangeError);
  });

  it('turns peers of other networks away', async () => {
    await listen({ allowedNetworks: ['10.0.0.0/8', '2001:db8::/32'] });
    const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'close');
    expect(echo.kinds()).toEqual(['refused-network']);
  });

  it('takes peers of its networks, in IPv4 and as IPv6 writes that', async () => {
    await listen({ allowedNetworks: ['127.0.0.0/8'], host: '::' });
    expect(await (await connectSender()).ask('A')).toBe('+A');
  });

  it('turns away who is one too many, until another leaves', async () => {
    await listen({ maxConnections: 2 });
    const [first, second] = [await connectSender(), await connectSender()];
    expect([await first.ask('1'), await second.ask('2')]).toEqual(['+1', '+2']);
    await (
      await EhrSender.connect(listener.port)
    ).closed;
    expect(echo.kinds().filter((kind) => kind === 'refused-full')).toHaveLength(1);
    await first.destroy();
    await echo.until(() => echo.kinds().includes('disconnected'));
    expect(await (await connectSender()).ask('A')).toBe('+A');
  });

  it('lets the oldest silent one of the same address make room, beyond a quarter of all', async () => {
    await listen({ maxConnections: 16 });
    const spoken = await connectSender();
    expect(await spoken.ask('A')).toBe('+A');
    const silent: EhrSender[] = [];
    for (let one = 0; one < 4; one += 1) silent.push(await connectSender());
    silent[0]!.write(Buffer.from('\x0bhalf a frame is silent, too'));
    await connectSender();
    await silent[0]!.closed;
    expect(await silent[1]!.ask('B')).toBe('+B');
    expect(await spoken.ask('C')).toBe('+C');
  });

  it('is open to a good sender however many silent connections there are', async () => {
    await listen({ maxConnections: 64 });
    for (let one = 0; one < 100; one += 1) await connectSender();
    expect(await (await connectSender()).ask('A')).toBe('+A');
    expect(echo.kinds()).not.toContain('refused-full');
  });

  it('is open to another address where one took all places by a message and went quiet', async () => {
    await listen({ maxConnections: 4 });
    const crowd: EhrSender[] = [];
    for (const text of ['1', '2', '3', '4']) {
      crowd.push(await connectSender());
      expect(await crowd.at(-1)!.ask(text)).toBe(`+${text}`);
    }
    // The first is no longer the one that was quiet the longest.
    expect(await crowd[0]!.ask('5')).toBe('+5');
    const other = await connectSender({ from: '127.0.0.2' });
    expect(await other.ask('A')).toBe('+A');
    await crowd[1]!.closed;
    expect(echo.kinds().filter((kind) => kind === 'idle-closed')).toHaveLength(1);
    expect(await crowd[0]!.ask('6')).toBe('+6');
    const second = await connectSender({ from: '127.0.0.2' });
    expect(await second.ask('B')).toBe('+B');
    await crowd[2]!.closed;
    // Each has half now.
    await (
      await EhrSender.connect(listener.port, { from: '127.0.0.2' })
    ).closed;
    expect(echo.kinds()).toContain('refused-full');
  });

  it('takes no place from who waits for an answer or is within a message', async () => {
    await listen({ maxConnections: 2 });
    let release = (): void => undefined;
    const held = new Promise<void>((done) => (release = done));
    echo.answer = async (message) => (message === 'slow' ? held : Promise.resolve()).then(() => `+${message}`);
    const [slow, half] = [await connectSender(), await connectSender()];
    expect(await half.ask('1')).toBe('+1');
    half.write(Buffer.from('\x0bthe beg'));
    slow.send('slow');
    await echo.until(() => echo.received.includes('slow'));
    await (
      await EhrSender.connect(listener.port, { from: '127.0.0.2' })
    ).closed;
    release();
    expect(await slow.nextAnswer()).toBe('+slow');
    half.write(Buffer.from('inning\x1c\r'));
    expect(await half.nextAnswer()).toBe('+the beginning');
  });

  it('closes silent ones before their handshake, too', async () => {
    const { key, certificate } = createAuthority().issue('localhost');
    await listen({ maxConnections: 4, tls: { key, certificate, requireClientCertificate: false } });
    const raw = Array.from({ length: 4 }, () => connect(listener.port, '127.0.0.1'));
    await Promise.all(raw.map((socket) => once(socket, 'connect')));
    const closed = Promise.race(
      raw.map((socket) =>
        once(
          socket.on('error', () => undefined),
          'close',
        ),
      ),
    );
    const fifth = connect(listener.port, '127.0.0.1');
    await closed;
    expect(raw.filter(({ destroyed }) => destroyed)).toHaveLength(1);
    for (const socket of [...raw, fifth]) socket.destroy();
  });

  it('frees a connection that is silent within a frame for 30 seconds [F15]', async () => {
    await listen();
    const sender = await connectSender();
    sender.write(Buffer.concat([frame('A'), Buffer.from('\x0bhalf')]));
    await sender.nextAnswer();
    timers.pass(29_999);
    sender.write(Buffer.concat([Buffer.from(' of B'), Buffer.from('\x1c\r'), frame('C'), Buffer.from('\x0bhalf')]));
    await sender.waitForAnswers(3);
    timers.pass(29_999);
    expect(echo.kinds()).toEqual(['connected']);
    timers.pass(1);
    await sender.closed;
    await echo.until(() => echo.kinds().includes('disconnected'));
    expect([echo.received, echo.kinds()]).toEqual([
      ['A', 'half of B', 'C'],
      ['connected', 'half-frame-closed', 'disconnected'],
    ]);
  });

  it('keeps nothing of a half frame whose sender is gone [F15]', async () => {
    await listen();
    const sender = await connectSender();
    sender.write(Buffer.from('\x0bhalf'));
    sender.end();
    await sender.closed;
    await echo.until(() => echo.kinds().includes('disconnected'));
    expect(echo.received).toEqual([]);
  });

  it('keeps a silent connection for as long as it is told to, with 0 for ever', async () => {
    await listen({ idleMs: 0, firstFrameMs: 0 });
    const waiting = await connectSender();
    timers.pass(30 * 24 * 3_600_000);
    expect(String(await waiting.ask('A'))).toContain('A');
    timers.pass(30 * 24 * 3_600_000);
    expect(String(await waiting.ask('B'))).toContain('B');
  });

  it('closes after a minute without the beginning of a message, so that silent peers do not keep others out', async () => {
    await listen();
    const [silent, speaking] = [await connectSender(), await connectSender()];
    speaking.write(Buffer.from('\x0bA'));
    await echo.until(() => echo.kinds().length === 2);
    silent.write(Buffer.from('\r\n'));
    await speaking.ask('B').catch(() => undefined);
    timers.pass(59_999);
    expect(echo.kinds()).not.toContain('silent-closed');
    timers.pass(1);
    await silent.closed;
    expect(echo.kinds().filter((kind) => kind === 'silent-closed')).toHaveLength(1);
  });

  it('closes after ten silent minutes, and not before', async () => {
    await listen();
    const sender = await connectSender();
    await sender.ask('A');
    timers.pass(599_999);
    expect(await sender.ask('B')).toBe('+B');
    timers.pass(600_000);
    await sender.closed;
    expect(echo.kinds()).toEqual(['connected', 'idle-closed', 'disconnected']);
  });

  it('closes on a megabyte without a frame', async () => {
    await listen();
    const sender = await connectSender();
    sender.write(Buffer.alloc(1024 * 1024 + 1, 'x'));
    await sender.closed;
    expect([echo.received, echo.kinds()]).toEqual([[], ['connected', 'junk-overflow', 'disconnected']]);
  });

  it('answers a frame over the limit before it closes, whatever still comes', async () => {
    await listen({ maxFrameBytes: 1000 });
    const sender = await connectSender();
    sender.write(Buffer.concat([frame('A'), Buffer.from('\x0bMSH|'), Buffer.alloc(3 * 1024 * 1024, 'a')]));
    expect([await sender.nextAnswer(), await sender.nextAnswer(), await sender.nextAnswer()]).toEqual([
      '+A',
      'too long: MSH|',
      null,
    ]);
    expect([echo.received, echo.kinds()]).toEqual([['A'], expect.arrayContaining(['oversize'])]);
  });

  it('closes without an answer where a message may not be safe', async () => {
    await listen();
    echo.answer = () => Promise.reject(new Error('no database'));
    expect(await (await connectSender()).ask('A')).toBeNull();
    await echo.until(() => echo.kinds().includes('disconnected'));
    expect(echo.events).toContainEqual({ kind: 'handler-failed', fault: new Error('no database') });
  });

  it('passes over what is no frame, and says how much', async () => {
    await listen();
    const sender = await connectSender();
    sender.write(Buffer.concat([Buffer.from('# keepalive 00001\n\x0bcut off'), frame('A')]));
    expect(await sender.nextAnswer()).toBe('+A');
    expect(echo.events.slice(1)).toEqual([
      { kind: 'junk', sizeBytes: 18, address: '127.0.0.1' },
      { kind: 'discarded-frame', sizeBytes: 7, address: '127.0.0.1' },
    ]);
    expect(echo.received).toEqual(['A']);
  });

  it('answers two frames of one write, and one frame of many writes, each once [F16]', async () => {
    await listen();
    const sender = await connectSender();
    sender.write(Buffer.concat([frame('A'), frame('B')]));
    for (const byte of frame('Würzburg')) sender.write(Buffer.of(byte));
    await sender.waitForAnswers(3);
    expect([echo.received, sender.answers.map(String)]).toEqual([
      ['A', 'B', 'Würzburg'],
      ['+A', '+B', '+Würzburg'],
    ]);
  });

  it('answers in order of receipt, one at a time, and reads only so far ahead', async () => {
    await listen();
    const held: (() => void)[] = [];
    echo.answer = (message) => new Promise((answered) => held.push(() => answered(`+${message}`)));
    const sender = await connectSender();
    const large = 'x'.repeat(300_000);
    for (let place = 0; place < 40; place += 1) sender.send(`${place} ${large}`);
    await echo.until(() => echo.received.length === 1);
    for (let answered = 0; answered < 40; answered += 1) {
      await echo.until(() => echo.received.length === answered + 1);
      while (held.length === 0) await new Promise(setImmediate);
      held.shift()?.();
    }
    await sender.waitForAnswers(40);
    expect(sender.answers.map((answer) => answer.toString().split(' ')[0])).toEqual(
      Array.from({ length: 40 }, (_, place) => `+${place}`),
    );
    expect(echo.mostAtOnce).toBe(1);
  });

  it('reads nothing more of a peer that does not read its answers, and closes when that has been idle', async () => {
    await listen();
    const large = 'x'.repeat(1024 * 1024);
    echo.answer = () => Promise.resolve(large);
    const sender = await connectSender();
    sender.socket.pause();
    for (let place = 0; place < 40; place += 1) sender.send(`${place}`);
    let answered = -1;
    while (answered !== echo.received.length) {
      answered = echo.received.length;
      for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
    }
    expect(answered).toBeLessThan(35);
    sender.socket.resume();
    await sender.waitForAnswers(40);
    sender.socket.pause();
    for (let place = 0; place < 40; place += 1) sender.send(`${place}`);
    await echo.until(() => echo.received.length > 40);
    while (answered !== echo.received.length) {
      answered = echo.received.length;
      for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
    }
    timers.pass(600_000);
    await echo.until(() => echo.kinds().includes('disconnected'));
    expect(echo.kinds()).toContain('idle-closed');
  });

  it('lets connections work beside each other', async () => {
    await listen();
    let release: () => void = () => undefined;
    echo.answer = (message) =>
      message === 'slow'
        ? new Promise((answered) => (release = () => answered('+slow')))
        : Promise.resolve(`+${message}`);
    const [slow, fast] = [await connectSender(), await connectSender()];
    slow.send('slow');
    await echo.until(() => echo.received.length === 1);
    expect(await fast.ask('fast')).toBe('+fast');
    timers.pass(600_000);
    release();
    expect(await slow.nextAnswer()).toBe('+slow');
  });

  it('takes ten megabytes', async () => {
    await listen();
    const message = `MSH|${'9j'.repeat(5 * 1024 * 1024)}`;
    echo.answer = (received) => Promise.resolve(received === message ? 'same' : 'other');
    expect(await (await connectSender()).ask(message)).toBe('same');
  });

  it('answers a peer that closed its side behind its last frame', async () => {
    await listen();
    const sender = await connectSender();
    sender.send('A');
    sender.send('B');
    sender.end();
    expect([await sender.nextAnswer(), await sender.nextAnswer(), await sender.nextAnswer()]).toEqual([
      '+A',
      '+B',
      null,
    ]);
  });

  it('sends nothing where there is no answer, and messages of its own while the peer is there', async () => {
    await listen();
    echo.answer = (message) => Promise.resolve(message === 'quiet' ? null : `+${message}`);
    const sender = await connectSender();
    sender.send('quiet');
    expect(await sender.ask('A')).toBe('+A');
    const [connection] = echo.connections;
    expect([connection?.send(Buffer.from('later')), await sender.nextAnswer()]).toEqual([true, 'later']);
    await sender.destroy();
    await echo.until(() => echo.kinds().includes('disconnected'));
    expect([connection?.isOpen, connection?.send(Buffer.from('lost'))]).toEqual([false, false]);
  });

  it('survives a peer that goes before it reads its answer [F17]', async () => {
    await listen();
    let release: () => void = () => undefined;
    echo.answer = (message) => new Promise((answered) => (release = () => answered(`+${message}`)));
    const sender = await connectSender();
    sender.send('A');
    await echo.until(() => echo.received.length === 1);
    await sender.destroy();
    release();
    await echo.until(() => echo.kinds().includes('disconnected'));
    echo.answer = (message) => Promise.resolve(`+${message}`);
    expect(await (await connectSender()).ask('A')).toBe('+A');
  });

  it('finishes the frame in work when it stops, and takes no further one', async () => {
    await listen();
    let release: () => void = () => undefined;
    echo.answer = (message) => new Promise((answered) => (release = () => answered(`+${message}`)));
    const [busy, idle] = [await connectSender(), await connectSender()];
    busy.write(Buffer.concat([frame('A'), frame('B')]));
    await echo.until(() => echo.received.length === 1);
    const stopped = listener.stop();
    await idle.closed;
    await expect(EhrSender.connect(listener.port)).rejects.toThrow();
    release();
    expect([await busy.nextAnswer(), await busy.nextAnswer()]).toEqual(['+A', null]);
    await stopped;
    expect(echo.received).toEqual(['A']);
  });

  it('cuts off what takes longer than its grace', async () => {
    await listen();
    echo.answer = () => new Promise(() => undefined);
    const sender = await connectSender();
    sender.send('A');
    await echo.until(() => echo.received.length === 1);
    const stopped = listener.stop(5_000);
    timers.pass(5_000);
    await Promise.all([stopped, sender.closed]);
  });

  describe('in TLS', () => {
    const authority = createAuthority();
    const { key, certificate } = authority.issue('localhost');
    const client = authority.issue('ehr.example.org');
    const tls = { key, certificate, clientAuthorities: authority.certificate };
    const trusting = { ca: authority.certificate, servername: 'localhost' };

    it('turns away peers in plain, in TLS 1.1, and without the certificate that it requires', async () => {
      await listen({ tls: { ...tls, requireClientCertificate: true } });
      const plain = await connectSender();
      expect(await plain.ask('MSH|a message in plain')).toBeNull();
      await expect(
        EhrSender.connect(listener.port, { tls: { ...trusting, maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1' } }),
      ).rejects.toThrow();
      const unknown = createAuthority('Other authority').issue('ehr.example.org');
      const outdated = authority.issue('ehr.example.org', -1);
      for (const own of [
        {},
        { key: outdated.key, cert: outdated.certificate },
        { key: unknown.key, cert: unknown.certificate },
      ]) {
        // TLS 1.3 tells a client of it after its own part of the handshake.
        const answer = EhrSender.connect(listener.port, { tls: { ...trusting, ...own } }).then(
          (sender) => (opened.push(sender), sender.ask('A')),
        );
        await expect(answer.catch(() => null)).resolves.toBeNull();
      }
      expect(echo.received).toEqual([]);
      const codes = () => echo.events.flatMap((event) => (event.kind === 'tls-failed' ? [event.code] : []));
      await echo.until(() => codes().length === 4);
      expect(echo.events.flatMap((event) => (event.kind === 'other-protocol' ? [event.protocol] : []))).toEqual([
        'plain',
      ]);
      expect(codes()).toEqual([
        // OpenSSL 3.0 (Node 20) and 3.5 (Node 22 and 24) name it differently.
        expect.stringMatching(/^ERR_SSL_UN(?:SUPPORTED_PROTOCOL|EXPECTED_MESSAGE)$/),
        'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE',
        'CERT_HAS_EXPIRED',
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      ]);
    });

    it('turns away a client whose certificate has none of the names that may send [H18]', async () => {
      await listen({ tls: { ...tls, requireClientCertificate: true, clientNames: ['ehr.example.org', 'RIS'] } });
      const stranger = authority.issue('portal.example.org');
      const ask = (own: typeof client) =>
        EhrSender.connect(listener.port, { tls: { ...trusting, key: own.key, cert: own.certificate } }).then(
          (sender) => (opened.push(sender), sender.ask('A')),
        );
      await expect(ask(stranger).catch(() => null)).resolves.toBeNull();
      await echo.until(() => echo.events.length > 0);
      expect(echo.events).toEqual([{ kind: 'tls-failed', code: 'CLIENT_NAME_NOT_ALLOWED' }]);
      expect(echo.received).toEqual([]);
      expect(await ask(authority.issue('ris'))).toBe('+A');
    });

    it('goes on with the certificate it had where a new one is not that of its key [H18]', async () => {
      await listen({ tls: { ...tls, requireClientCertificate: false } });
      expect(() =>
        listener.renewTls({
          ...tls,
          certificate: authority.issue('localhost').certificate,
          requireClientCertificate: false,
        }),
      ).toThrow(expect.objectContaining({ code: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH' }) as Error);
      expect(await (await connectSender({ tls: trusting })).ask('A')).toBe('+A');
    });

    it('serves new connections with a renewed certificate, and keeps the open ones [H18]', async () => {
      await listen({ tls: { ...tls, requireClientCertificate: false } });
      const open = await connectSender({ tls: trusting });
      const successor = createAuthority('Next authority');
      const renewed = successor.issue('localhost');
      listener.renewTls({ key: renewed.key, certificate: renewed.certificate, requireClientCertificate: false });
      expect(await open.ask('A')).toBe('+A');
      expect(await (await connectSender({ tls: { ...trusting, ca: successor.certificate } })).ask('B')).toBe('+B');
      await expect(
        EhrSender.connect(listener.port, { tls: { ...trusting, maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1' } }),
      ).rejects.toThrow();
    });

    it('tells the name of a verified certificate', async () => {
      await listen({ tls: { ...tls, requireClientCertificate: true } });
      expect(
        await (await connectSender({ tls: { ...trusting, key: client.key, cert: client.certificate } })).ask('A'),
      ).toBe('+A');
      expect([...echo.connections].map(({ certificateName }) => certificateName)).toEqual(['ehr.example.org']);
    });

    it('takes peers without one, and trusts no name that is not verified, where it is optional', async () => {
      await listen({ tls: { ...tls, requireClientCertificate: false } });
      const unknown = createAuthority('Other authority').issue('ehr.example.org');
      expect(await (await connectSender({ tls: trusting })).ask('A')).toBe('+A');
      expect(
        await (await connectSender({ tls: { ...trusting, key: unknown.key, cert: unknown.certificate } })).ask('B'),
      ).toBe('+B');
      expect([...echo.connections].map(({ certificateName }) => certificateName)).toEqual([null, null]);
    });
  });

  it.each([
    ['tls', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x0b, 0x1c, 0x0d])],
    ['http', Buffer.from('GET / HTTP/1.1\r\nhost: a\r\n\r\n')],
    ['http', Buffer.from('POST /hl7 HTTP/1.1\r\n\r\n\u000bMSH|^~\\&|\u001c\r')],
  ])('cuts off a sender that begins with %s, and says so once', async (protocol, bytes) => {
    await listen();
    const socket = connect(listener.port, '127.0.0.1');
    const closed = once(socket, 'close');
    socket
      .resume()
      .on('error', () => undefined)
      .write(bytes);
    await closed;
    expect(echo.received).toEqual([]);
    expect(echo.events.filter(({ kind }) => kind === 'other-protocol')).toEqual([
      { kind: 'other-protocol', protocol, address: '127.0.0.1' },
    ]);
  });

  it.each([
    ['MLLP', '\u000bMSH|^~\\&|A|B\u001c\r'],
    ['HTTP', 'GET / HTTP/1.1\r\n\r\n'],
  ])('tells %s without TLS from a handshake that failed', async (_title, text) => {
    const authority = createAuthority();
    const { key, certificate } = authority.issue('localhost');
    await listen({ tls: { key, certificate, requireClientCertificate: false } });
    const socket = connect(listener.port, '127.0.0.1');
    socket
      .resume()
      .on('error', () => undefined)
      .write(text);
    await echo.until(() => echo.kinds().includes('other-protocol'));
    expect(echo.events.find(({ kind }) => kind === 'other-protocol')).toMatchObject({ protocol: 'plain' });
    socket.destroy();
  });
});
