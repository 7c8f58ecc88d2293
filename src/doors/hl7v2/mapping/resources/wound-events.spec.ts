import type { BodyStructure, Procedure } from '@medplum/fhirtypes';
import { hl7Sample, judgeHl7, plannedOf, writtenPlace } from '../../../../../test/support/hl7-inbound.js';

/** A row of the sample that these take the place of. */
const OWN_ROW = 'OBX|6|CWE|39116-9^Drainage amount of Wound^LN|1|moderate^Moderate^99EHR||||||F';
const NUMBER_ROW = /OBX\|\d+\|ST\|wound-id[^\r]*\r/;
const sent = async (value: string, edit: (text: string) => string = (text) => text) => {
  const row = `OBX|6|CWE|wound-event^Event^99SUT|1|${value}||||||F|||20260303101500+0100||31^Pflege^Petra`;
  const sample = hl7Sample('2.5.1/omg-o19-photo', [OWN_ROW, `${row}\rNTE|1||To bleeding tissue.`]);
  const judged = await judgeHl7(Buffer.from(edit(sample.toString('latin1')), 'latin1'));
  return {
    code: judged.code,
    problems: judged.problems
      .map((problem) => `${problem.code} ${writtenPlace(problem)}`)
      .filter((one) => !/OBX\^8/.test(one)),
    procedures: plannedOf<Procedure>(judged.plan, 'Procedure').map(({ resource }) => resource),
    wound: judged.plan.bundle!.entry!.find(({ resource }) => resource?.resourceType === 'BodyStructure')?.fullUrl,
  };
};

describe('a row wound-closing', () => {
  const closed = async (value: string) => {
    const row = `OBX|6|CWE|wound-closing^Closed^99SUT|1|${value}||||||F|||20260303`;
    const judged = await judgeHl7(hl7Sample('2.5.1/omg-o19-photo', [OWN_ROW, row]));
    const problems = judged.problems.map((problem) => `${problem.code} ${writtenPlace(problem)}`);
    const [wound] = plannedOf<BodyStructure>(judged.plan, 'BodyStructure');
    return { problems: problems.filter((one) => !/OBX\^8/.test(one)), extension: wound?.resource.extension };
  };

  it('of a reason that is none closes nothing, with a warning', async () => {
    expect(await closed('gone')).toEqual({ problems: ['code.unknown OBX^6^5^1'], extension: undefined });
  });

  it('closes none of several wounds where it does not say which', async () => {
    const rows = ['OBX|6|ST|wound-id^^99SUT|2|W-13||||||F', 'OBX|7|CWE|wound-closing^Closed^99SUT||healed||||||F'];
    const judged = await judgeHl7(hl7Sample('2.5.1/omg-o19-photo', [OWN_ROW, rows.join('\r')]));
    expect(judged.problems.map((problem) => `${problem.code} ${writtenPlace(problem)}`)).toContain(
      'finding.kept OBX^7^4^1',
    );
    for (const { resource } of plannedOf<BodyStructure>(judged.plan, 'BodyStructure'))
      expect(resource).not.toHaveProperty('extension');
  });

  it('says on its wound why a person closed it, and on which day', async () => {
    expect(await closed('Healed^Epithelialised^99EHR')).toMatchObject({
      problems: [],
      extension: [
        {
          url: 'https://sutura.dev/fhir/StructureDefinition/wound-closing',
          extension: [
            { url: 'reason', valueCode: 'healed' },
            { url: 'closedAt', valueDateTime: '2026-03-03' },
          ],
        },
      ],
    });
  });
});

describe('a row wound-event', () => {
  it('is kept with a warning where its wound has no number', async () => {
    const { problems, procedures } = await sent('debridement', (text) => text.replace(NUMBER_ROW, ''));
    expect([problems, procedures]).toEqual([['finding.kept OBX^7^3^1', 'finding.kept OBX^5'], []]);
  });

  it.each([
    ['event-debridement^Debridement^99SUT', 'event-debridement'],
    ['debridement', 'event-debridement'],
    ['36777000^Debridement^SCT', 'event-debridement'],
    ['Negative-Pressure^VAC^99EHR', 'event-negative-pressure'],
  ])('of %s is the Procedure %s of the wound', async (value, code) => {
    const { problems, procedures, wound } = await sent(value);
    expect(problems).toEqual([]);
    expect(procedures).toMatchObject([
      {
        extension: [{ valueReference: { reference: wound } }],
        status: 'completed',
        code: { coding: [{ code }] },
        performedDateTime: '2026-03-03T10:15:00+01:00',
        performer: [{ actor: { identifier: { value: '31' } } }],
        note: [{ text: 'To bleeding tissue.' }],
      },
    ]);
  });

  it('of several repetitions is several', async () => {
    const { procedures } = await sent('debridement~compression');
    expect(procedures.map(({ code }) => code?.coding?.[0]?.code)).toEqual(['event-debridement', 'event-compression']);
  });

  it('of anything else stands as another event, in the words of its sender, with a warning', async () => {
    const { problems, procedures } = await sent('LT^Larval therapy^99EHR');
    expect(problems).toEqual(['code.unknown OBX^6^5^1']);
    expect(procedures).toMatchObject([{ code: { text: 'Larval therapy' } }]);
  });
});
