import { send, type ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Hl7Hospital } from '../support/hl7-hospital.js';
import { AbuseGround } from './abuse-ground.js';
import { asSent, expanding } from './expanding-inputs.js';

const MIB = 1024 * 1024;
/** More than an organization may have in work and waiting. */
const MANY = 24;
const HOSTILE = expanding('Binary: a blank behind each character', 4 * MIB);
const MESSAGE = 'HL7: words';

describe('the time for large bodies', () => {
  let ground: AbuseGround;
  let hostile: ApiClient;
  let other: ApiClient;
  let hospital: Hl7Hospital | undefined;

  beforeAll(async () => {
    ground = await AbuseGround.start({ SUTURA_BODIES_MIB: '1024' });
    [hostile, other] = [await ground.gateway.createClient(), await ground.gateway.createClient()];
  });
  afterAll(async () => {
    await hospital?.close();
    await ground?.stop();
  });

  const attack = (client: ApiClient) => {
    const { headers, bytes } = asSent(HOSTILE, true);
    return send('POST', `${ground.gateway.baseUrl}${HOSTILE.path}`, {
      key: client.key,
      headers,
      bytes,
      timeoutMs: 180_000,
    });
  };

  it('is refused to an organization that wants too much of it, with the time after which it may try again', async () => {
    const answers = await Promise.all(Array.from({ length: MANY }, () => attack(hostile)));
    const refused = answers.filter(({ status }) => status === 503);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422, 503]));
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['5']));
    expect(JSON.stringify(refused[0]!.body)).toContain('service-busy');
    expect((await attack(hostile)).status).toBe(422);
  }, 400_000);

  it('is refused to messages with a code that engines repeat, and the same message is taken later', async () => {
    // One address has a quarter of them.
    hospital = await Hl7Hospital.open(ground.gateway, { maxConnections: 8 * MANY });
    const messages = Array.from({ length: MANY }, () => expanding(MESSAGE, 2 * MIB).bytes.toString('utf8'));
    const answers = await Promise.all(messages.map((message) => hospital!.send(message)));
    const refused = messages.filter((_, at) => answers[at]!.includes('service.busy'));
    expect(refused.length).toBeGreaterThan(0);
    expect(
      answers.filter((answer) => answer!.includes('service.busy')).every((answer) => /\rMSA\|AR\|/.test(answer!)),
    ).toBe(true);
    expect(await hospital!.send(refused[0]!)).not.toContain('service.busy');
  }, 400_000);

  it('is taken from nobody by the hostile bodies of another organization', async () => {
    let isOver = false;
    const statuses: number[] = [];
    const keepOn = async (): Promise<void> => {
      while (!isOver) statuses.push((await attack(hostile)).status);
    };
    const attacks = Array.from({ length: MANY }, keepOn);
    await eventually('the attack goes on', () => statuses.length > MANY);
    const large = { resourceType: 'Patient', photo: [{ contentType: 'image/jpeg', data: 'A'.repeat(MIB) }] };
    const answers = [];
    for (let sent = 0; sent < 3; sent += 1)
      answers.push(
        await other.request('POST', '/fhir/Patient', {
          json: large,
          headers: { 'content-type': 'application/fhir+json' },
        }),
      );
    isOver = true;
    await Promise.all(attacks);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  }, 400_000);
});
