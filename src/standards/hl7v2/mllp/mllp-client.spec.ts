import { ManualTimers } from '../../../../test/peers/manual-timers.js';
import { acknowledge, EhrReceiver } from '../../../../test/peers/mllp-receiver.js';
import { createAuthority } from '../../../../test/peers/test-certificates.js';
import type { Acknowledgment } from './acknowledgment.js';
import { readAcknowledgment } from './acknowledgment.js';
import { MllpClient, type MllpClientOptions } from './mllp-client.js';

const messageOf = (controlId: string, modes = '|', version = '2.5.1') =>
  Buffer.from(
    `MSH|^~\\&|SUTURA|SUTURA|EHR|HOSP|20260315||ORU^R01^ORU_R01|${controlId}|T|${version}||${modes}\rPID|1\r`,
  );
const TIMEOUT_MS = 30_000;

describe('the MLLP client [F18]', () => {
  let timers: ManualTimers;
  let receiver: EhrReceiver;
  let client: MllpClient;
  let others: Acknowledgment[];

  function clientOf(options: Partial<MllpClientOptions> = {}): MllpClient {
    return new MllpClient({
      host: '127.0.0.1',
      port: receiver.port,
      tls: null,
      timers,
      onOther: (other) => others.push(other),
      ...options,
    });
  }

  const send = (controlId: string) => client.send(messageOf(controlId), controlId, TIMEOUT_MS);

  /** Sends, waits for the message to be there, and lets the time for an answer pass. */
  async function sendInVain(controlId: string): Promise<unknown> {
    const before = receiver.messages.length;
    const outcome = send(controlId).catch((fault: unknown) => fault);
    await receiver.waitFor(before + 1);
    timers.pass(TIMEOUT_MS);
    return outcome;
  }

  beforeEach(async () => {
    timers = new ManualTimers();
    others = [];
    receiver = await EhrReceiver.start();
    client = clientOf();
  });

  afterEach(async () => {
    client.close();
    await receiver.stop();
    expect(timers.count).toBe(0);
  });

  it('says that nobody is there', async () => {
    const { port } = receiver;
    await receiver.stop();
    await expect(send('M1')).rejects.toMatchObject({
      name: 'MllpDeliveryError',
      reason: 'unreachable',
      code: 'ECONNREFUSED',
      mayHaveArrived: false,
    });
    receiver = await EhrReceiver.start({ port });
    await expect(send('M1')).resolves.toMatchObject({ code: 'AA' });
  });

  it.each(['silent', 'late', 'wrong-id', 'garbage'] as const)(
    'takes no answer for its own where the receiver is %s, and connects anew',
    async (mode) => {
      receiver.mode = mode;
      await expect(sendInVain('M1')).resolves.toMatchObject({ reason: 'timeout' });
      expect(client.isConnected).toBe(false);
      receiver.mode = 'accept';
      await expect(send('M1')).resolves.toMatchObject({ code: 'AA', controlId: 'M1' });
      receiver.releaseLate();
      await expect(send('M2')).resolves.toMatchObject({ code: 'AA', controlId: 'M2' });
      expect([receiver.connectionsSoFar, receiver.messages.length]).toEqual([2, 3]);
    },
  );

  it('ends with the connection where the receiver hangs up', async () => {
    receiver.mode = 'hang-up';
    await expect(send('M1')).rejects.toMatchObject({ reason: 'closed' });
    receiver.mode = 'accept';
    await expect(send('M1')).resolves.toMatchObject({ controlId: 'M1' });
  });

  it('ends with its own close, also while it connects', async () => {
    const connecting = send('M0').catch((fault: unknown) => fault);
    client.close();
    await expect(connecting).resolves.toMatchObject({ reason: 'closed' });
    receiver.mode = 'silent';
    const waiting = send('M1').catch((fault: unknown) => fault);
    await receiver.waitFor(1);
    client.close();
    await expect(waiting).resolves.toMatchObject({ reason: 'closed' });
  });

  it('sends no second message while one is in flight', async () => {
    receiver.mode = 'late';
    const first = send('M1');
    await expect(send('M2')).rejects.toThrow('in flight');
    await receiver.waitFor(1);
    await expect(send('M2')).rejects.toThrow('in flight');
    receiver.releaseLate();
    await expect(first).resolves.toMatchObject({ controlId: 'M1' });
  });

  it.each([
    ['error', '|', '2.5.1', 'AE'],
    ['reject', '|', '2.5.1', 'AR'],
    ['error', 'AL|NE', '2.5.1', 'CE'],
    ['reject', 'AL|NE', '2.3', 'CR'],
  ] as const)(
    'gives a refusal (%s, %s, %s) with its reason and keeps the connection',
    async (mode, modes, version, code) => {
      receiver.mode = mode;
      receiver.refusal = { condition: '206' };
      await expect(client.send(messageOf('M1', modes, version), 'M1', TIMEOUT_MS)).resolves.toMatchObject({
        code,
        controlId: 'M1',
        conditions: ['206'],
      });
      expect(client.isConnected).toBe(true);
    },
  );

  it('passes on what belongs to other messages, and keeps waiting for its own', async () => {
    await send('M1');
    receiver.mode = 'late';
    const second = send('M2');
    await receiver.waitFor(2);
    receiver.say(acknowledge(messageOf('M1').toString(), 'AA', 'M1'));
    receiver.say('MSH|^~\\&|EHR\rEVN|not an acknowledgment\r');
    receiver.releaseLate();
    await expect(second).resolves.toMatchObject({ code: 'AA', controlId: 'M2' });
    expect(others).toMatchObject([{ code: 'AA', controlId: 'M1' }]);
  });

  it('keeps one connection for many messages and opens another one when it was closed', async () => {
    for (let place = 0; place < 50; place += 1)
      await expect(send(`M${place}`)).resolves.toMatchObject({ controlId: `M${place}` });
    expect(receiver.connectionsSoFar).toBe(1);
    receiver.disconnectAll();
    while (client.isConnected) await new Promise(setImmediate);
    await send('M50');
    expect([receiver.connectionsSoFar, receiver.messages.length]).toEqual([2, 51]);
  });

  it('sends ten megabytes as they are', async () => {
    const message = Buffer.concat([messageOf('M1'), Buffer.from(`OBX|1|ED|||${'9j'.repeat(5 * 1024 * 1024)}\r`)]);
    await client.send(message, 'M1', TIMEOUT_MS);
    expect(receiver.messages[0] === message.toString('utf8')).toBe(true);
  });

  it('connects in TLS to whom it can verify, and shows its own certificate', async () => {
    const authority = createAuthority();
    const { key, certificate } = authority.issue('localhost');
    const own = authority.issue('sutura.example.org');
    const secure = await EhrReceiver.start({
      tls: { key, cert: certificate, ca: authority.certificate, requestCert: true, rejectUnauthorized: true },
    });
    const trusted = { authorities: authority.certificate, key: own.key, certificate: own.certificate };
    const outcomes = [];
    for (const tls of [
      {},
      { ...trusted, authorities: createAuthority('Other').certificate },
      { ...trusted, serverName: 'ehr.example.org' },
      trusted,
      { ...trusted, serverName: 'localhost' },
    ]) {
      const tlsClient = clientOf({ port: secure.port, tls });
      outcomes.push(
        await tlsClient.send(messageOf('M1'), 'M1', TIMEOUT_MS).then(
          ({ code }) => code,
          ({ reason, code }) => `${reason as string} ${code as string}`,
        ),
      );
      tlsClient.close();
    }
    await secure.stop();
    expect(outcomes).toEqual([
      'tls SELF_SIGNED_CERT_IN_CHAIN',
      'tls SELF_SIGNED_CERT_IN_CHAIN',
      'tls ERR_TLS_CERT_ALTNAME_INVALID',
      'AA',
      'AA',
    ]);
  });
});

describe('an acknowledgment', () => {
  it.each([
    ['no message', 'OK'],
    ['another message', 'MSH|^~\\&|A\rPID|1\r'],
    ['no code', 'MSH|^~\\&|A\rMSA||M1\r'],
    ['an unknown code', 'MSH|^~\\&|A\rMSA|OK|M1\r'],
  ])('is not %s', (_name, text) => expect(readAcknowledgment(Buffer.from(text))).toBeNull());

  it('is read in whatever characters it says it is', () => {
    for (const characterSet of ['UNICODE', 'KOI8-R', 'ASCII']) {
      const bytes = Buffer.from(`\ufeffMSH|^~\\&|Höchst||||||ACK||||||||||${characterSet}\rMSA|AA|M1`);
      expect(readAcknowledgment(bytes)).toMatchObject({ code: 'AA', controlId: 'M1' });
    }
  });

  it.each([
    [
      '2.5',
      'MSH|^~\\&|A\rMSA|ae|M1\rERR||PID^1^3|101^Required field missing^HL70357|E\rERR|||204|W\rERR|||103^x|E',
      ['101', '103'],
    ],
    ['2.3', 'MSH|^~\\&|A\rMSA|AE|M1\rERR|PID^1^3^101&Required field missing&HL70357~OBX^1^5^102', ['101', '102']],
    ['no ERR', 'MSH|^~\\&|A\nMSA|AE|M1\n', []],
  ])('gives its conditions in the way of %s', (_name, text, conditions) => {
    expect(readAcknowledgment(Buffer.from(text))).toMatchObject({ code: 'AE', controlId: 'M1', conditions });
  });

  it('keeps what the receiver says of it, in its own words, and no more than so many of them', () => {
    const text = `MSH|^~\\&|A\rMSA|AE|M1|Not taken\rERR||OBX^2^5|103^Table value not found^HL70357|E|W12^Unknown^99EHR||code X|Ask the ward${'!'.repeat(600)}\r${'ERR|||207\r'.repeat(30)}`;
    const { text: said, problems } = readAcknowledgment(Buffer.from(text))!;
    expect(said).toBe('Not taken');
    expect(problems).toHaveLength(20);
    expect(problems[0]).toEqual({
      place: 'OBX^2^5',
      condition: '103',
      conditionText: 'Table value not found',
      severity: 'E',
      applicationCode: 'W12',
      applicationText: 'Unknown',
      diagnostic: 'code X',
      message: expect.stringMatching(/^Ask the ward!{488}…$/) as string,
    });
    const former = readAcknowledgment(Buffer.from('MSH|^~\\&|A\rMSA|AR|M1\rERR|PID^1^3^204&Unknown key&HL70357'))!;
    expect(former.problems).toMatchObject([{ place: 'PID^1^3', condition: '204', conditionText: 'Unknown key' }]);
  });
});
