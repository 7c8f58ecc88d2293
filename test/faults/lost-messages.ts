import type { Bundle, Task } from '@medplum/fhirtypes';
import { queryDatabase } from '../support/database-query.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { fieldOf, Hl7Hospital, orderMessage } from '../support/hl7-hospital.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { verify } from './verify.js';

/** MSH-15 and MSH-16. */
const MODES = { original: ['', ''], enhanced: ['AL', 'NE'] } as const;

const codeOf = (answer: string | null): string | null => (answer === null ? null : fieldOf(answer, 'MSA', 1));

/** As a hospital's engine does: the same message until it is taken. */
async function sendSurely(hospital: Hl7Hospital, message: string): Promise<string> {
  return eventually(
    'the message is taken',
    async () => {
      const code = codeOf(await hospital.send(message));
      return code === 'AA' || code === 'CA' ? code : undefined;
    },
    30_000,
    200,
  );
}

/** Of an order: one analysis, one result under one number, and everything that the service promises besides. */
async function expectOnce(gateway: Gateway, hospital: Hl7Hospital, order: string, known: string[]): Promise<void> {
  await hospital.result(order);
  const { entry = [] } = await hospital.read<Bundle<Task>>(`Task?based-on:ServiceRequest.identifier=${order}`);
  expect(entry).toHaveLength(1);
  known.push(entry[0]!.resource!.id!);
  await verify(gateway, known);
  expect(new Set(hospital.resultsOf(order).map((result) => fieldOf(result, 'MSH', 10))).size).toBe(1);
  const rows = await queryDatabase<{ count: number }>(
    gateway.databaseUrl,
    `select count(*)::int as count from hl7_outbox`,
  );
  expect(rows[0]!.count).toBe(known.length);
}

type Mode = keyof typeof MODES;
/** What the test says of the moment, the failpoint there, and the mode of acknowledgment. */
type Repeated = readonly [moment: string, failpoint: string, mode: Mode];
type Accepted = readonly [moment: string, failpoint: string];

/** Every step between a frame and its acknowledgment, at which the sender repeats what it has no answer to. */
export const REPEATED = [
  ['before it is kept', 'hl7_before_insert', 'original'],
  ['once it is kept', 'hl7_after_insert', 'original'],
  ['before it is carried out', 'hl7_before_apply', 'original'],
  ['while it is carried out', 'hl7_in_apply', 'original'],
  ['once it is carried out', 'hl7_after_apply', 'original'],
  ['before it is answered', 'hl7_before_ack', 'original'],
  ['before it is kept', 'hl7_before_insert', 'enhanced'],
  ['once it is kept', 'hl7_after_insert', 'enhanced'],
  ['before it is accepted', 'hl7_before_ack', 'enhanced'],
] as const satisfies readonly Repeated[];

/** Those after an accept acknowledgment. */
export const ACCEPTED = [
  ['before it is carried out', 'hl7_before_apply'],
  ['while it is carried out', 'hl7_in_apply'],
  ['once it is carried out', 'hl7_after_apply'],
] as const satisfies readonly Accepted[];

/** Registers the tests of a gateway that is killed at these moments, and of messages that come again without that. */
export function describeLostMessages(repeated: readonly Repeated[], accepted: readonly Accepted[]): void {
  describe('a gateway that is killed between a message and its acknowledgment', () => {
    const analyses: string[] = [];
    let base: Gateway;
    let steady: Gateway;
    let hospital: Hl7Hospital;

    beforeAll(async () => {
      base = await startGateway();
      steady = base;
      hospital = await Hl7Hospital.open(base);
      await hospital.connect().then((sender) => sender.destroy());
    });
    afterAll(async () => {
      await hospital?.close();
      if (steady !== base) await steady?.stop();
      await base?.stop();
    });

    const start = (env: Record<string, string> = {}) =>
      startGateway({ databaseUrl: base.databaseUrl, dataDir: base.dataDir, env });

    it.each(repeated)('%s (%s, %s mode) takes it from the sender’s repeat, once', async (_, point, mode) => {
      const order = `${point}-${mode}`;
      const message = orderMessage({
        order,
        control: `C${analyses.length + 1}`,
        photo: await drawWoundPhoto({ seed: analyses.length + 1 }),
        wound: `W-${order}`,
        mode: MODES[mode],
      });
      await steady.kill();
      const doomed = await start({ SUTURA_FP: `${point}:kill` });
      expect(await hospital.at(doomed).send(message)).toBeNull();
      expect((await doomed.process.exited).signal).toBe('SIGKILL');

      steady = await start();
      await sendSurely(hospital.at(steady), message);
      await expectOnce(steady, hospital.at(steady), order, analyses);
    });

    it.each(accepted)('%s (%s) after it was accepted loses nothing, though nobody sends it again', async (_, point) => {
      const order = `${point}-accepted`;
      const message = orderMessage({
        order,
        control: `C${analyses.length + 1}`,
        photo: await drawWoundPhoto({ seed: analyses.length + 1 }),
        wound: `W-${order}`,
        mode: MODES.enhanced,
      });
      await steady.kill();
      const doomed = await start({ SUTURA_FP: `${point}:kill` });
      expect(codeOf(await hospital.at(doomed).send(message))).toBe('CA');
      expect((await doomed.process.exited).signal).toBe('SIGKILL');

      steady = await start();
      await expectOnce(steady, hospital.at(steady), order, analyses);
    });

    it('[F14] three times at once, over two connections, is one message', async () => {
      const message = orderMessage({
        order: 'ORD-3X',
        control: 'C-3X',
        photo: await drawWoundPhoto({ seed: 90 }),
        wound: 'W-3X',
      });
      const here = hospital.at(steady);
      const [one, two] = [await here.connect(), await here.connect()];
      one.send(message);
      two.send(message);
      one.send(message);
      const answers = [await one.nextAnswer(), await one.nextAnswer(), await two.nextAnswer()];
      expect(answers.map(codeOf)).toEqual(['AA', 'AA', 'AA']);
      expect(new Set(answers.map((answer) => fieldOf(answer!, 'MSH', 10))).size).toBe(3);
      await Promise.all([one.destroy(), two.destroy()]);
      await expectOnce(steady, here, 'ORD-3X', analyses);
    });

    it('[F17] that the sender did not wait for is a repeat when it comes again', async () => {
      const message = orderMessage({
        order: 'ORD-GONE',
        control: 'C-GONE',
        photo: await drawWoundPhoto({ seed: 91 }),
        wound: 'W-GONE',
      });
      const here = hospital.at(steady);
      const sender = await here.connect();
      sender.send(message);
      sender.end();
      await sender.closed;
      expect(await sendSurely(here, message)).toBe('AA');
      await expectOnce(steady, here, 'ORD-GONE', analyses);
    });
  });
}
