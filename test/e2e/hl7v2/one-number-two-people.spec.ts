import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, orderMessage, valuesOf } from '../../support/hl7-hospital.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

interface Person {
  readonly facility: string;
  readonly name: string;
  readonly birth: string;
}
const ANNA: Person = { facility: 'NORTH', name: 'Meier^Anna', birth: '19500101' };
const BERND: Person = { facility: 'SOUTH', name: 'Schulz^Bernd', birth: '19801231' };

describe('two people under one bare number', () => {
  let gateway: SharedGateway;

  beforeAll(async () => {
    gateway = await sharedGateway();
  });

  /** Their photos differ, so that one counted for the other would show as a change. */
  async function order({ facility, name, birth }: Person, number = 1): Promise<string> {
    const photo = await drawSmallWoundPhoto({
      seed: facility.length + birth.length,
      ...(facility === 'SOUTH' ? { width: 200 } : {}),
    });
    return orderMessage({ order: `${facility}-${number}`, photo, wound: '1' })
      .replace('|EHR|HOSP|', `|EHR|${facility}|`)
      .replace(/\rPID\|[^\r]*/, `\rPID|1||4711||${name}||${birth}|F`);
  }

  it('of one facility are not mixed: the second one is refused where the listener says so, and nothing of it is filed', async () => {
    const hospital = await Hl7Hospital.open(gateway, { onConflict: 'refuse' }, { pdf: 'none' });
    expect(fieldOf((await hospital.send(await order(ANNA)))!, 'MSA', 1)).toBe('AA');
    const refused = (await hospital.send(await order({ ...BERND, facility: ANNA.facility }, 2)))!;
    expect([fieldOf(refused, 'MSA', 1), fieldOf(refused, 'ERR', 3).split('^')[0]]).toEqual(['AE', '204']);
    expect(refused).toContain('patient.conflict');
    expect(refused).not.toMatch(/Meier|1950/);
    await hospital.result('NORTH-1');
    const reports = await hospital.read<{ total: number }>('DiagnosticReport?_summary=count');
    expect(reports.total).toBe(1);
    await hospital.close();
  });

  it.each([
    ['by itself', {}],
    [
      'where the listener says whose numbers they are',
      { bareNumbers: { NORTH: 'urn:oid:2.999.1', '*': 'urn:oid:2.999.2' } },
    ],
  ])(
    'from two facilities behind one listener have a result each, without a past that is the other one’s, %s',
    async (_, settings) => {
      const hospital = await Hl7Hospital.open(gateway, settings, { pdf: 'none' });
      for (const person of [ANNA, BERND]) {
        expect(fieldOf((await hospital.send(await order(person)))!, 'MSA', 1)).toBe('AA');
        const result = await hospital.result(`${person.facility}-1`);
        expect([fieldOf(result, 'PID', 3), fieldOf(result, 'PID', 5).split('^').slice(0, 2).join('^')]).toEqual([
          expect.stringMatching(/^4711/),
          person.name,
        ]);
        expect(valuesOf(result, 'area-change-since-previous')).toEqual([]);
      }
      await hospital.close();
    },
  );
});
