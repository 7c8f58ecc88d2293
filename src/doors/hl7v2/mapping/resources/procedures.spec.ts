import type { Procedure } from '@medplum/fhirtypes';
import {
  hl7Sample,
  hl7SourceOf,
  judgeHl7,
  KnownRecords,
  plannedOf,
  writtenPlace,
} from '../../../../../test/support/hl7-inbound.js';
import { NO_CODE_MAPS } from '../reading/mapped-fields.js';

const MRN = { system: 'urn:oid:1.2.3.4.5.6', value: 'MRN-778812' };
const DEBRIDEMENT = '36777000^Debridement^SCT';
/** PR1 with its code, its time, its action and whoever did it. */
const pr1 = (code: string, { at = '20260303101500+0100', action = '', by = '31^Pflege^Petra', words = '' } = {}) =>
  `PR1|1||${code}|${words}|${at}||||||${by}||||||||P-9^EHR|${action}`;

const judged = async (message: Buffer, source = hl7SourceOf(), records = new KnownRecords()) => {
  const { code, problems, plan } = await judgeHl7(message, source, records);
  return {
    code,
    problems: problems
      .map((problem) => `${problem.code} ${writtenPlace(problem)}`)
      .filter((one) => !/OBX\^8\^|OBX\^8$/.test(one)),
    procedures: plannedOf<Procedure>(plan, 'Procedure').map(({ resource }) => resource),
    wounds: plannedOf(plan, 'BodyStructure').map(({ fullUrl }) => fullUrl),
  };
};
/** Behind the rows of an order that names the wound W-12. */
const inOrder = (...segments: string[]) =>
  Buffer.concat([hl7Sample('2.5.1/omg-o19-photo'), Buffer.from(segments.map((one) => `${one}\r`).join(''))]);
const inAnnouncement = (...segments: string[]) =>
  Buffer.concat([hl7Sample('2.5.1/adt-a08-update'), Buffer.from(segments.map((one) => `${one}\r`).join(''))]);

describe('a procedure (PR1) of an order or of results', () => {
  it.each([
    ['no code', pr1(''), 'PR1^1^3^1'],
    ['no time', pr1(DEBRIDEMENT, { at: '' }), 'PR1^1^5^1'],
    ['a time that is none', pr1(DEBRIDEMENT, { at: '20261399' }), 'PR1^1^5^1'],
    ['a month alone', pr1(DEBRIDEMENT, { at: '202603' }), 'PR1^1^5^1'],
    ['an action that table 0206 does not have', pr1(DEBRIDEMENT, { action: 'Q' }), 'PR1^1^20^1'],
    ['a word of ours of another coding system', pr1('SURGERY^Appendectomy^L'), 'PR1^1^3^1'],
    ['a word of ours of none', pr1('DEBRIDEMENT'), 'PR1^1^3^1'],
    ['a code of ours of another coding system', pr1('event-graft^^OPS'), 'PR1^1^3^1'],
    ['another code of SNOMED CT', pr1('80146002^Appendectomy^SCT'), 'PR1^1^3^1'],
    ['a code of a house that the listener does not map', pr1('5-896.1b^Wundtoilette^OPS'), 'PR1^1^3^1'],
  ])('with %s is kept with a warning, and the order is taken', async (_name, segment, place) => {
    expect(await judged(inOrder(segment))).toMatchObject({
      code: 'AA',
      problems: [`finding.kept ${place}`],
      procedures: [],
    });
  });

  it.each([
    ['SC', '2.5.1/omg-o19-cancel', ['ORC|CA|', 'ORC|SC|']],
    ['CA', '2.5.1/omg-o19-cancel', ['ORC|CA|', 'ORC|CA|']],
  ] as const)('behind an ORC with %s is kept with a warning', async (_control, name, change) => {
    const message = Buffer.concat([hl7Sample(name, change), Buffer.from(`${pr1(DEBRIDEMENT)}\r`)]);
    expect((await judged(message)).problems).toContain('finding.kept PR1^1');
  });

  it('that names no wound is kept with a warning, and no wound is guessed', async () => {
    const message = Buffer.from(
      inOrder(pr1(DEBRIDEMENT))
        .toString('utf8')
        .replace(/OBX\|4\|[^\r]*\r/, ''),
    );
    expect(await judged(message)).toMatchObject({
      code: 'AA',
      // The heart rate of the sample is none of ours.
      problems: ['finding.kept OBX^7^3^1', 'finding.kept PR1^1'],
      procedures: [],
      wounds: [],
    });
  });

  it('of an order with several wounds is kept with a warning, as it cannot say of which it is', async () => {
    const second = 'OBX|9|ST|wound-id^Wound number^99EHR|2|W-13||||||F';
    const { code, problems, procedures } = await judged(inOrder(second, pr1(DEBRIDEMENT)));
    expect([code, problems, procedures]).toEqual(['AA', ['finding.kept PR1^1'], []]);
  });

  it.each([
    ['a visit', `PV1|1|I${'|'.repeat(17)}V\u200b1`, 'OBR|1|||39135-9^Wound^LN'],
    ['a wound', 'PV1|1|I', `OBR|1|||39135-9^Wound^LN${'|'.repeat(14)}W\u200b12`],
    ['a time', 'PV1|1|I', 'OBR|1|||39135-9^Wound^LN|||20261399'],
  ])(
    'of a change by %s that cannot be read is kept with a warning, and the order is changed',
    async (_of, pv1, obr) => {
      const sample = hl7Sample('2.5.1/omg-o19-cancel', ['ORC|CA|', `${pv1}\rORC|XO|`]);
      const known = new KnownRecords([
        { resourceType: 'Patient', id: 'p1', identifier: [MRN], name: [{ family: 'Beispiel', given: ['Anna'] }] },
        {
          resourceType: 'ServiceRequest',
          id: 's1',
          identifier: [{ system: 'urn:oid:1.2.3.4.5.7', value: 'ORD-55012' }],
          status: 'active',
          intent: 'order',
          subject: { reference: 'Patient/p1' },
        },
      ]);
      const message = Buffer.concat([sample, Buffer.from(`${obr}\r${pr1(DEBRIDEMENT)}\r`)]);
      const { code, problems, procedures } = await judged(message, hl7SourceOf({ woundNumberField: 'OBR-18' }), known);
      expect([code, problems, procedures]).toEqual(['AA', ['finding.kept PR1^1'], []]);
    },
  );

  it('that stands before the first order is kept with a warning', async () => {
    const sample = hl7Sample('2.5.1/omg-o19-photo', ['ORC|NW|', `${pr1(DEBRIDEMENT)}\rORC|NW|`]);
    const { code, problems, procedures } = await judged(sample);
    expect([code, problems, procedures]).toEqual(['AA', ['finding.kept PR1^1'], []]);
  });

  it.each([
    ['an order', '2.5.1/omg-o19-photo'],
    ['results', '2.5.1/oru-r01-photo-later'],
  ])('between ORC and OBR of %s leaves them together, and the notes of the OBR where they were', async (_of, name) => {
    const sample = hl7Sample(name, ['OBR|1|', `${pr1(DEBRIDEMENT)}\rNTE|1||Sharp.\rOBR|1|`]);
    const { code, plan } = await judgeHl7(sample);
    expect([code, plannedOf(plan, 'Media').length]).toEqual(['AA', 1]);
    const orders = plannedOf(plan, 'ServiceRequest');
    expect(orders).toHaveLength(1);
    expect(JSON.stringify(orders)).not.toContain('Sharp.');
  });

  it('that is to be deleted withdraws and records nothing, with a warning', async () => {
    const { code, problems, procedures } = await judged(inOrder(pr1(DEBRIDEMENT, { action: 'D' })));
    expect([code, problems, procedures]).toEqual(['AA', ['finding.kept PR1^1^20^1'], []]);
  });

  it('is the event of the wound, when it was done, by whom, and in which words', async () => {
    const said = inOrder(pr1(DEBRIDEMENT, { words: 'Sharp, heel', action: 'A' }), 'NTE|1||To bleeding tissue.');
    const { code, problems, procedures, wounds } = await judged(said);
    expect([code, problems]).toEqual(['AA', []]);
    expect(procedures).toMatchObject([
      {
        extension: [{ valueReference: { reference: wounds[0] } }],
        status: 'completed',
        code: { coding: [{ code: 'event-debridement' }] },
        performedDateTime: '2026-03-03T10:15:00+01:00',
        performer: [{ actor: { identifier: { value: '31' } } }],
        note: [{ text: 'Sharp, heel' }, { text: 'To bleeding tissue.' }],
      },
    ]);
  });

  it('has the number that the same event has in a row wound-event, so that it is recorded once', async () => {
    const row = 'OBX|9|CWE|wound-event^Event^99SUT|1|debridement||||||F|||20260303101500+0100';
    const twice = await judged(inOrder(row, pr1(DEBRIDEMENT)));
    expect(twice.procedures).toHaveLength(1);
  });

  it('of a day alone is of that day', async () => {
    const { procedures } = await judged(inOrder(pr1(DEBRIDEMENT, { at: '20260303' })));
    expect(procedures.map(({ performedDateTime }) => performedDateTime)).toEqual(['2026-03-03']);
  });

  it.each([
    ['5-896.1b^Wundtoilette^OPS', { '5-896.1b^OPS': 'event-debridement' }, 'event-debridement'],
    ['SURGERY^Appendectomy^L', { 'SURGERY^L': 'event-other' }, 'event-other'],
    ['Negative-Pressure^VAC^99SUT', {}, 'event-negative-pressure'],
    ['event-graft^^99SUT', {}, 'event-graft'],
  ])('with %s and the codes %j of its listener is %s', async (code, codes, event) => {
    const source = hl7SourceOf({ codes: { ...NO_CODE_MAPS, 'PR1-3': codes } });
    expect(await judged(inOrder(pr1(code)), source)).toMatchObject({
      code: 'AA',
      problems: [],
      procedures: [{ code: { coding: [{ code: event }] } }],
    });
  });

  it('of a change of an order without rows is of its visit, and of the wound that OBR-18 names', async () => {
    const sample = hl7Sample('2.5.1/omg-o19-photo').toString('utf8');
    const placed = (line: string) => {
      if (!line.startsWith('OBR')) return line.replace('ORC|NW|', 'ORC|XO|');
      const fields = line.split('|').slice(0, 8);
      return [...fields, ...Array.from({ length: 18 - fields.length }, () => ''), 'W-12'].join('|');
    };
    const lines = sample.split('\r').filter((line) => !/^(?:OBX|NTE)/.test(line));
    const message = Buffer.from([...lines.map(placed).filter((line) => line !== ''), pr1(DEBRIDEMENT), ''].join('\r'));
    const patient = { resourceType: 'Patient' as const, id: 'p1', identifier: [MRN] };
    const order = {
      resourceType: 'ServiceRequest' as const,
      id: 's1',
      identifier: [{ system: 'urn:oid:1.2.3.4.5.7', value: 'ORD-55012' }],
      status: 'active' as const,
      intent: 'order' as const,
      subject: { reference: 'Patient/p1' },
    };
    const source = hl7SourceOf({ woundNumberField: 'OBR-18' });
    const { code, procedures } = await judged(message, source, new KnownRecords([patient, order]));
    expect([code, procedures.length]).toEqual(['AA', 1]);
    expect(procedures[0]!.encounter?.reference).toMatch(/^urn:uuid:/);
  });

  it('with several codes is read by the first, with a warning', async () => {
    const { problems, procedures } = await judged(inOrder(pr1(`${DEBRIDEMENT}~18949003^^SCT`)));
    expect([problems, procedures.length]).toEqual([['finding.kept PR1^1^3^1'], 1]);
  });

  it('that was recorded in the words of its sender before its code was mapped is not recorded again', async () => {
    const row = 'OBX|9|CWE|wound-event^Event^99SUT|1|LT^Larval therapy^99EHR||||||F|||20260303101500+0100';
    const codes = { ...NO_CODE_MAPS, 'PR1-3': { LT: 'event-debridement' } };
    const procedure = pr1('LT^Larval therapy^99EHR');
    const both = await judged(inOrder(row, procedure), hl7SourceOf({ codes }));
    expect(both.procedures).toHaveLength(1);
    const patient = { resourceType: 'Patient' as const, id: 'p1', identifier: [MRN] };
    const recorded = { ...both.procedures[0]!, id: 'e1', subject: { reference: 'Patient/p1' } };
    const later = await judged(inOrder(procedure), hl7SourceOf({ codes }), new KnownRecords([patient, recorded]));
    expect([later.problems, later.procedures]).toEqual([['finding.kept PR1^1'], []]);
  });
});

describe('a procedure (PR1) of ADT', () => {
  it('is not read: it says all that was done in the stay, and nothing of it can refuse the patient', async () => {
    const others = ['OBX|1|ST|wound-id^^99EHR|1|W-12', 'OBX|2|ST|wound-id^^99EHR|1|W-13'];
    const said = await judged(inAnnouncement(...others, pr1(DEBRIDEMENT), pr1(''), pr1('SURGERY^Appendectomy^L')));
    expect(said).toMatchObject({ code: 'AA', problems: [], procedures: [], wounds: [] });
  });
});
