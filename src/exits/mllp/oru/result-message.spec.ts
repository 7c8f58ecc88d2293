import { NOTHING_COMPARED } from '../../../core/followup/series.js';
import type { Patient } from '@medplum/fhirtypes';
import {
  acceptedBy,
  destinationSettings,
  RECEIVED_ORDER,
  heelFindings,
  heelReport,
  NURSE,
  resultFacts,
  rowsOf,
  segmentsOf,
  withReview,
  workedMessage,
} from '../../../../test/support/hl7-result.js';
import { findingsWithoutScale, findingsWithoutWound, reportsOf } from '../../../../test/support/sample-report.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { summarizeReport } from '../../../reports/index.js';
import { parseDestinationSettings } from '../destinations/destination-register.js';
import { toResultMessage } from './result-message.js';

/** OBX-11 of every row, by its code and OBX-4. */
const statuses = (segments: readonly string[]) =>
  Object.fromEntries([...rowsOf(segments)].map(([name, fields]) => [name, fields[11]]));
const segment = (segments: readonly string[], name: string) =>
  segments.find((one) => one.startsWith(`${name}|`))!.split('|');
/** A worked message as this service's own words have it: the conclusion is written by the report, and nobody states the site a second time in CWE-9. */
function inOurWords(worked: readonly string[], report: ClinicalReport): string[] {
  return worked.map((line) => {
    const fields = line.split('|');
    if (fields[3]?.startsWith('conclusion^') === true) fields[5] = summarizeReport(report, 'en', 'UTC');
    if (fields[3]?.startsWith('wound-site^') === true) fields[5] = fields[5]!.replace('^^^^^^Left heel', '');
    return fields.join('|');
  });
}
const pdfOf = (worked: readonly string[]) => ({
  bytes: Buffer.from(worked.at(-1)!.split('^Base64^')[1]!.split('|')[0]!, 'base64'),
});

describe('the times of a result', () => {
  const ZONES = ['Pacific/Pago_Pago', 'America/New_York', 'UTC', 'Europe/Berlin', 'Pacific/Kiritimati'];
  const times = (content: Partial<ClinicalReport['content']>, timeZone: string): string[] => {
    const report = heelReport();
    const segments = segmentsOf(
      resultFacts({ ...report, content: { ...report.content, ...content } }),
      destinationSettings({ timeZone }),
    );
    return [...new Set([segment(segments, 'OBR')[7]!, ...[...rowsOf(segments).values()].map((row) => row[14]!)])];
  };

  it.each(ZONES)('to %s are the day that was stated, in OBR-7 and every OBX-14', (timeZone) => {
    const capturedAt = '2026-11-27T05:00:00.000Z';
    expect(times({ capturedAt, capturedAsStated: '2026-11-27' }, timeZone)).toEqual(['20261127']);
    expect(times({ capturedAt, capturedAsStated: '2026-11' }, timeZone)).toEqual(['202611']);
  });

  it('have a finding of the day before with its own', () => {
    const clinicianObservations = { depthCm: 0.2, painNrs: 3, statedAt: { depthCm: '2026-11-26' } };
    const given = { capturedAt: '2026-11-27T05:00:00.000Z', capturedAsStated: '2026-11-27', clinicianObservations };
    expect(times(given, 'UTC').sort()).toEqual(['20261126', '20261127']);
  });
});

it.each([
  ['84607009', 'Heel'],
  ['999999999', 'code 999999999 (SNOMED CT, no name here)'],
])('a site of which the code %s came alone is named %s where codes of SNOMED CT are off', (code, words) => {
  const report = heelReport();
  const subject = { ...report.content.subject, bodySite: { system: 'http://snomed.info/sct', code } };
  const site = (settings = destinationSettings()) =>
    rowsOf(
      segmentsOf(resultFacts({ ...report, content: { ...report.content, subject } }, { snomed: false }), settings),
    ).get('wound-site 1')![5];
  expect(site()).toBe(`^${words}`);
  expect(site(destinationSettings({ codes: { sites: { [code]: 'HL^Heel^L' } } }))).toContain('HL^Heel^L');
});

describe('a report as ORU^R01', () => {
  it('is not made of nobody', () => {
    const report = heelReport();
    const nobody = { ...report, content: { ...report.content, subject: { ...report.content.subject, patient: null } } };
    expect(
      toResultMessage(
        resultFacts(nobody, { received: null, patient: { receivedPid: '', record: null, identifier: null } }),
        destinationSettings(),
      ),
    ).toBeNull();
  });

  it('gives the worked follow-up, row by row', () => {
    const worked = workedMessage('out-1-oru-followup.hl7');
    const report = heelReport();
    expect(segmentsOf(resultFacts(report, { document: pdfOf(worked) }))).toEqual(inOurWords(worked, report));
  });

  it('gives the worked correction of a final result, row by row', () => {
    const worked = workedMessage('out-2-oru-correction.hl7');
    const before = withReview(heelReport(), acceptedBy('accept'), { status: 'final' });
    const corrected = heelReport({ version: 2 }, heelFindings(6.4, { outlineSource: 'reviewer_contour' }), -24);
    const report = withReview(corrected, acceptedBy('correct'), { status: 'corrected' });
    expect(
      segmentsOf(resultFacts(report, { before, document: pdfOf(worked) }), destinationSettings(), 'SUT-000000733'),
    ).toEqual(inOurWords(worked, report));
  });

  it('is final where a preliminary result is attested, with every row final and the reviewer named', () => {
    const before = heelReport();
    const segments = segmentsOf(resultFacts(withReview(before, acceptedBy('accept'), { status: 'final' }), { before }));
    expect(new Set(Object.values(statuses(segments)))).toEqual(new Set(['F']));
    expect([segment(segments, 'ORC')[5], segment(segments, 'OBR')[25], segment(segments, 'OBR')[32]]).toEqual([
      'CM',
      'F',
      '31&Pflege&Petra&&&&&&HOSP',
    ]);
    expect(rowsOf(segments).get('89260-4 1')![16]).toBe(RECEIVED_ORDER.orc12);
  });

  it('stays final where a final result is reviewed without change', () => {
    const before = heelReport({ status: 'final' });
    const segments = segmentsOf(resultFacts(withReview(before, acceptedBy('accept')), { before }));
    expect(new Set(Object.values(statuses(segments)))).toEqual(new Set(['F']));
    expect(segment(segments, 'OBR')[25]).toBe('F');
  });

  it('marks only what a recomputation changed, and takes back rows that are gone', () => {
    const before = heelReport({ status: 'final' });
    const { content } = heelReport({}, heelFindings(6.17, { tissue: null }), -20);
    const after: ClinicalReport = { ...before, version: 2, status: 'amended', reason: 'recomputed', content };
    const segments = segmentsOf(
      resultFacts(after, { before, document: { url: 'https://example.org/fhir/Binary/x-v2' } }),
    );
    expect(segment(segments, 'OBR')[25]).toBe('C');
    expect(statuses(segments)).toMatchObject({
      '89260-4 1': 'F',
      'area-change-since-previous 1': 'C',
      'wound-report-pdf 1': 'C',
      '72371-8 1.1': 'D',
      '72370-0 1.1': 'D',
      '72371-8 1.4': 'D',
    });
    expect(segments.filter((one) => one.startsWith('OBX|')).map((one) => one.split('|')[1])).toEqual(
      Array.from({ length: 19 }, (_, index) => String(index + 1)),
    );
  });

  it('takes back the full set where a result is rejected, and says nothing of the order', () => {
    const report = withReview(heelReport(), acceptedBy('reject'), { status: 'entered-in-error' });
    const segments = segmentsOf(resultFacts(report, { before: heelReport() }));
    expect(new Set(Object.values(statuses(segments)))).toEqual(new Set(['D']));
    expect([segment(segments, 'ORC')[5], segment(segments, 'OBR')[25], segment(segments, 'OBR')[32] ?? '']).toEqual([
      '',
      'C',
      '',
    ]);
    expect(rowsOf(segments).size).toBe(16 + 2);
  });

  it.each(['W', 'D'] as const)(
    'takes a result of the wrong patient back with %s, and tells it anew under its own number',
    (wrongPatient) => {
      const moved = { ...heelReport(), id: '0199bbbb-0000-7000-8000-aaaa00000099', replaces: heelReport().id };
      const old = withReview(heelReport(), acceptedBy('reassign'), {
        status: 'entered-in-error',
        replacedBy: moved.id,
      });
      const taken = segmentsOf(resultFacts(old, { before: heelReport() }), destinationSettings({ wrongPatient }));
      expect(new Set(Object.values(statuses(taken)))).toEqual(new Set([wrongPatient]));
      expect([segment(taken, 'PID')[3], segment(taken, 'ORC')[3]!.split('^')[0]]).toEqual([
        'MRN-778812^^^HOSP&1.2.3.4.5.6&ISO^MR',
        old.jobId,
      ]);
      const record: Patient = {
        resourceType: 'Patient',
        identifier: [{ system: 'urn:oid:1.2.3.4.5.6', value: 'MRN-9' }],
        name: [{ family: 'Muster', given: ['Max', 'Emil'] }],
        birthDate: '1960-02-03',
        gender: 'male',
      };
      const told = segmentsOf(
        resultFacts(moved, { received: null, patient: { receivedPid: '', record, identifier: null } }),
        destinationSettings({ authorities: { 'urn:oid:1.2.3.4.5.6': 'HOSP&1.2.3.4.5.6&ISO' } }),
      );
      expect(told.find((one) => one.startsWith('PID|'))).toBe(
        'PID|1||MRN-9^^^HOSP&1.2.3.4.5.6&ISO^PI||Muster^Max^Emil^^^^L||19600203|M',
      );
      expect(segment(told, 'ORC').slice(2, 4)).toEqual(['', `${moved.id}^SUTURA^sutura.dev^DNS`]);
      expect(told.some((one) => one.startsWith('PV1|'))).toBe(false);
    },
  );

  it('says that nothing could be measured without a scale, and never zero', () => {
    const segments = segmentsOf(
      resultFacts(heelReport({}, findingsWithoutScale(), null)),
      destinationSettings({ intervals: true }),
    );
    const rows = rowsOf(segments);
    for (const code of ['89260-4 1', '39126-8 1', '39125-0 1'])
      expect([rows.get(code)![2], rows.get(code)![5], rows.get(code)![6], rows.get(code)![11]]).toEqual([
        'NM',
        '',
        '',
        'X',
      ]);
    expect(rows.get('89260-4 1')![17]).toBe('AI^Algorithm-derived from photograph without scale^99SUT');
    expect(rows.get('quality-warning 1')!.slice(2, 6)).toEqual([
      'CWE',
      'quality-warning^Photo quality warning^99SUT',
      '1',
      'no_scale^No scale^99SUT',
    ]);
    expect([...rows.keys()].filter((name) => name.includes('bound'))).toEqual([]);
  });

  it('says why it waits for a person, neither better nor worse, until somebody has decided', () => {
    const known = heelReport();
    const comparison = { ...NOTHING_COMPARED, attention: ['site_mismatch', 'area_jump'] } as const;
    const waiting = { ...known, content: { ...known.content, comparison } };
    const rows = rowsOf(segmentsOf(resultFacts(waiting)));
    expect(rows.get('attention 1')!.slice(2, 6)).toEqual([
      'CWE',
      'attention^Waits for confirmation by a clinician^99SUT',
      '1',
      'site_mismatch^Site mismatch^99SUT~area_jump^Area jump^99SUT',
    ]);
    expect([...rows.values()].map((fields) => fields[8]).filter((flag) => flag !== '')).toEqual([]);
    expect(rows.get('conclusion 1')![5]).toContain('Check patient and wound');
    const accepted = withReview({ ...known, version: 2 }, acceptedBy('accept'), { status: 'final' });
    expect([...rowsOf(segmentsOf(resultFacts(accepted, { before: waiting }))).keys()]).not.toContain('attention 1');
  });

  it('has rows for the slope with its interval, the flags and a closure, and none where there are none', () => {
    const known = heelReport();
    const [steady] = reportsOf({ weeks: [4, 4.8, 5.6, 6.8] }).slice(-1);
    const { flags, comparison } = steady!.content;
    const closure = { closedAt: '2025-09-01T08:00:00.000Z', reopenedAt: null };
    const growing = { ...known, content: { ...known.content, flags, comparison: { ...comparison, closure } } };
    const rows = rowsOf(segmentsOf(resultFacts(growing), destinationSettings({ intervals: true })));
    const { value, lower, upper } = comparison.slope!.pctPerWeek;
    expect(
      ['area-slope', 'area-slope-lower-bound', 'area-slope-upper-bound'].map((code) =>
        Number(rows.get(`${code} 1`)![5]),
      ),
    ).toEqual([value, lower, upper]);
    expect(rows.get('area-slope 1')!.slice(6, 9)).toEqual(['%/wk^percent per week^UCUM', '', 'W']);
    expect(rows.get('margin-advance 1')![6]).toBe('mm/d^millimeter per day^UCUM');
    expect(
      rows
        .get('follow-up-flag 1')![5]!
        .split('~')
        .map((one) => one.split('^')[0]),
    ).toEqual(flags.map(({ code }) => `flag-${code.replaceAll('_', '-')}`));
    expect(rows.get('wound-closure 1')![5]).toMatch(/^wound-closed\^/);
    const plain = [...rowsOf(segmentsOf(resultFacts(known))).keys()];
    expect(plain.filter((row) => /slope|margin|flag|closure/.test(row))).toEqual([]);
  });

  it('corrects a final result whose area turned out not to be measurable', () => {
    const before = heelReport({ status: 'final' });
    const after = { ...heelReport({ version: 2, status: 'corrected' }, findingsWithoutWound(), null), id: before.id };
    const segments = segmentsOf(resultFacts(after, { before }));
    expect(statuses(segments)).toMatchObject({ '89260-4 1': 'X', '72371-8 1.1': 'D', 'model-confidence 1': 'D' });
    expect(segment(segments, 'OBR')[25]).toBe('C');
  });

  it('says how well the model’s outline is expected to fit, and nothing of it where a person drew the outline', () => {
    const familiarity = {
      score: 0.3,
      expectedDice: { value: 0.41, lower: 0, upper: 0.79 },
      outlineReliable: false,
    };
    const rowOf = (wish: object) =>
      rowsOf(segmentsOf(resultFacts(heelReport({}, { ...heelFindings(), familiarity, ...wish })))).get(
        'expected-overlap 1',
      );
    expect(rowOf({})!.slice(2, 6)).toEqual([
      'NM',
      'expected-overlap^Expected overlap with the outline of an expert (Dice)^99SUT',
      '1',
      '0.41',
    ]);
    expect(rowOf({ outlineSource: 'reviewer_contour' })).toBeUndefined();
  });

  it('gives the interval of each measure codes of its own', () => {
    const rows = rowsOf(segmentsOf(resultFacts(heelReport()), destinationSettings({ intervals: true })));
    expect(rows.get('area-lower-bound 1')!.slice(3, 7)).toEqual([
      'area-lower-bound^Area of wound, lower bound^99SUT',
      '1',
      '5.553',
      'cm2^square centimeter^UCUM',
    ]);
    expect([...rows.keys()].filter((name) => name.endsWith('bound 1'))).toHaveLength(6);
  });

  it('has no code of SNOMED CT where that is switched off', () => {
    const report = heelReport({}, heelFindings(6.17, { confirmedTissues: ['necrosis'] }));
    const off = segmentsOf(resultFacts(report, { snomed: false })).join('\r');
    expect(off).not.toContain('^SCT');
    expect(off).toContain('|^Skin structure of heel|');
    expect(off).toContain('slough^Slough or fibrin^99SUT');
    const on = rowsOf(segmentsOf(resultFacts(report)));
    expect(on.get('72371-8 1.3')![5]).toBe('421306004^Necrotic eschar^SCT');
    expect(on.get('72371-8 1.3')![17]).toBe('MANUAL^Stated by a clinician^99SUT');
  });

  it('leaves out tissues that were not seen, and keeps the numbers of the others', () => {
    const tissue = { ...heelFindings().tissue!, slough: 0, granulation: 0.895 };
    expect(
      [...rowsOf(segmentsOf(resultFacts(heelReport({}, heelFindings(6.17, { tissue }))))).keys()].filter((name) =>
        name.startsWith('72371-8'),
      ),
    ).toEqual(['72371-8 1.1', '72371-8 1.3', '72371-8 1.4']);
  });
});

describe('the layout that a destination asks for', () => {
  it.each([
    ['2.3', 'ORU^R01', 'CE', 18, ''],
    ['2.3.1', 'ORU^R01^ORU_R01', 'CE', 18, ''],
    ['2.4', 'ORU^R01^ORU_R01', 'CE', 20, ''],
    ['2.5', 'ORU^R01^ORU_R01', 'CWE', 20, ''],
    ['2.7', 'ORU^R01^ORU_R01', 'CWE', 21, '84607009^Skin structure of heel^SCT'],
    ['2.8.2', 'ORU^R01^ORU_R01', 'CWE', 21, '84607009^Skin structure of heel^SCT'],
  ] as const)('is that of %s', (version, type, coded, fields, site) => {
    const segments = segmentsOf(resultFacts(heelReport()), destinationSettings({ version }));
    expect([segment(segments, 'MSH')[8], segment(segments, 'MSH')[11]]).toEqual([type, version]);
    const rows = rowsOf(segments);
    expect(rows.get('wound-site 1')![2]).toBe(coded);
    expect([rows.get('89260-4 1')!.length, rows.get('89260-4 1')![20] ?? '']).toEqual([fields, site]);
  });

  it('says that a name is not specified where none is known, since it is required', () => {
    const nameIn = (patient: Parameters<typeof resultFacts>[1]) =>
      segment(segmentsOf(resultFacts(heelReport(), patient), destinationSettings({})), 'PID')[5];
    const record = { resourceType: 'Patient' as const, identifier: [{ value: 'MRN-1' }] };
    expect([
      nameIn({ patient: { receivedPid: '', record, identifier: null } }),
      nameIn({ patient: { receivedPid: 'PID|1||MRN-1^^^HOSP^MR||||F', record: null, identifier: null } }),
      nameIn({ patient: { receivedPid: '', record: null, identifier: { system: '', value: 'MRN-1' } } }),
    ]).toEqual(Array(3).fill('^^^^^^U'));
  });

  it('leaves out the identifiers that 2.7 withdrew', () => {
    const patient = { receivedPid: 'PID|1|OLD-1|MRN-1^^^HOSP^MR|ALT-1|Beispiel^Anna', record: null, identifier: null };
    expect(segmentsOf(resultFacts(heelReport(), { patient }), destinationSettings({ version: '2.6' }))[1]).toBe(
      'PID|1|OLD-1|MRN-1^^^HOSP^MR|ALT-1|Beispiel^Anna',
    );
    expect(segmentsOf(resultFacts(heelReport(), { patient }), destinationSettings({ version: '2.7' }))[1]).toBe(
      'PID|1||MRN-1^^^HOSP^MR||Beispiel^Anna',
    );
  });

  it('is in its character set, with plain characters for what that lacks', () => {
    const patient = { receivedPid: 'PID|1||MRN-1^^^HOSP^MR||Müller^Łucja', record: null, identifier: null };
    const bytes = toResultMessage(
      resultFacts(heelReport(), { patient }),
      destinationSettings({ characterSet: '8859/1' }),
    )!('SUT-000000001');
    expect(bytes.toString('latin1')).toContain('Müller^Lucja');
    expect(bytes.toString('latin1').split('|')[17]).toBe('8859/1');
  });

  it('asks for what the acknowledgment mode says, and is of the environment', () => {
    const live = segment(
      segmentsOf(resultFacts(heelReport({ environment: 'live' })), destinationSettings({ ackMode: 'original' })),
      'MSH',
    );
    expect([live[10], live[14], live[15]]).toEqual(['P', '', '']);
    expect(segment(segmentsOf(resultFacts(heelReport()), destinationSettings({ processingId: 'D' })), 'MSH')[10]).toBe(
      'D',
    );
  });

  it('puts the placer’s own code first, with LOINC beside it', () => {
    const received = { ...RECEIVED_ORDER, obr4: 'WIA^Wound image analysis^99EHR^X^Y^Z' };
    expect(segment(segmentsOf(resultFacts(heelReport(), { received })), 'OBR')[4]).toBe(
      'WIA^Wound image analysis^99EHR^39135-9^Wound assessment panel^LN',
    );
    expect(
      segment(
        segmentsOf(resultFacts(heelReport(), { received }), destinationSettings({ orderCode: 'loinc' })),
        'OBR',
      )[4],
    ).toBe('39135-9^Wound assessment panel^LN');
  });

  it('carries files as it wishes', () => {
    const files = {
      document: { bytes: Buffer.from('%PDF') },
      photo: { file: { url: 'https://example.org/fhir/Binary/9' }, format: 'jpeg' as const },
    };
    const rows = rowsOf(
      segmentsOf(resultFacts(heelReport(), files), destinationSettings({ pdfType: 'Application^pdf' })),
    );
    expect(rows.get('wound-report-pdf 1')!.slice(2, 6)).toEqual([
      'ED',
      'wound-report-pdf^Wound assessment report^99SUT',
      '1',
      'SUTURA^Application^pdf^Base64^JVBERg==',
    ]);
    expect(rows.get('72170-4 1')!.slice(2, 6)).toEqual([
      'RP',
      '72170-4^Photographic image Unspecified body region Document^LN',
      '1',
      'https://example.org/fhir/Binary/9^SUTURA^IM^JPEG',
    ]);
  });

  it('escapes what a caller wrote, and never lets it end a field or a segment', () => {
    const report = heelReport();
    const subject = { ...report.content.subject, woundId: 'W|1^&~\\\rMSH|x', patient: { system: '', value: 'A|B' } };
    const segments = segmentsOf(
      resultFacts(
        { ...report, content: { ...report.content, subject } },
        { received: null, patient: { receivedPid: '', record: null, identifier: subject.patient } },
      ),
    );
    expect(segments.map((one) => one.slice(0, 3))).toEqual([
      'MSH',
      'PID',
      'ORC',
      'OBR',
      ...Array.from({ length: 18 }, () => 'OBX'),
    ]);
    expect(rowsOf(segments).get('wound-id 1')![5]).toBe('W\\F\\1\\S\\\\T\\\\R\\\\E\\ MSH\\F\\x');
    expect(segment(segments, 'PID')[3]).toBe('A\\F\\B^^^^PI');
  });

  it('gives PV1 a class where the order had none', () => {
    expect(
      segment(segmentsOf(resultFacts(heelReport(), { received: { ...RECEIVED_ORDER, pv1: 'PV1|1||W3' } })), 'PV1'),
    ).toEqual(['PV1', '1', 'U', 'W3']);
  });

  it('names a reviewer whom the order does not know by number and name, with the authority', () => {
    const report = withReview(
      heelReport(),
      { ...acceptedBy('accept'), reviewer: { id: 'HCP-1', name: 'Dr. Example & Co', system: 'urn:oid:1.2.3' } },
      { status: 'final' },
    );
    const segments = segmentsOf(resultFacts(report));
    expect(segment(segments, 'OBR')[32]).toBe('HCP-1&Dr. Example \\T\\ Co&&&&&&&&1.2.3&ISO');
    expect(rowsOf(segments).get('conclusion 1')![16]).toBe('HCP-1^Dr. Example \\T\\ Co^^^^^^^&1.2.3&ISO');
  });

  it('names the reviewer, not another person of the order who has the same number elsewhere, nor one of another name [H3]', () => {
    const reviewed = (reviewer: typeof NURSE) =>
      segmentsOf(resultFacts(withReview(heelReport(), { ...acceptedBy('accept'), reviewer }, { status: 'final' })));
    const named = (segments: readonly string[]) => [
      segment(segments, 'OBR')[32],
      rowsOf(segments).get('conclusion 1')![16],
    ];
    expect(named(reviewed({ id: '31', name: 'Dr. Weber', system: 'https://ehr.example/staff' }))).toEqual([
      '31&Dr. Weber&&&&&&&&https:/' + '/ehr.example/staff&URI',
      '31^Dr. Weber^^^^^^^&https:/' + '/ehr.example/staff&URI',
    ]);
    expect(named(reviewed({ ...NURSE, name: 'Dr. Weber' }))).toEqual([
      '31&Dr. Weber&&&&&&&&1.2.3.4.5.9&ISO',
      '31^Dr. Weber^^^^^^^&1.2.3.4.5.9&ISO',
    ]);
    const { system, ...nobodys } = NURSE;
    expect(named(reviewed(nobodys as typeof NURSE))).toEqual(['31&Petra Pflege', '31^Petra Pflege']);
    expect(named(reviewed({ ...NURSE, name: 'PETRA  Pflege', system }))[1]).toBe(RECEIVED_ORDER.orc12);
  });

  it.each([
    ['https://sutura.dev/fhir/sid/hl7v2-authority/HOSP', 'HOSP'],
    ['https://sutura.dev/fhir/sid/hl7v2-authority/Haus%20A%26B', 'Haus A\\T\\B'],
    ['urn:uuid:0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c3d', '&0199e1c4-7a10-7b3e-9c55-2f6d0a1b2c3d&UUID'],
    ['https://ehr.hospital.example', '&ehr.hospital.example&DNS'],
    ['https://ehr.hospital.example/mrn', '&https://ehr.hospital.example/mrn&URI'],
    ['urn:oid:1.2.3', '&1.2.3&ISO'],
    ['', ''],
  ])('lets an authority known as %j out as it came in [H5]', (system, written) => {
    const record: Patient = {
      resourceType: 'Patient',
      identifier: [{ value: 'MRN-9', ...(system === '' ? {} : { system }) }],
    };
    const segments = segmentsOf(
      resultFacts(heelReport(), { received: null, patient: { receivedPid: '', record, identifier: null } }),
    );
    expect(segment(segments, 'PID')[3]).toBe(`MRN-9^^^${written}^PI`);
  });

  describe('in the receiver’s own codes [H12]', () => {
    const CODES = {
      observations: { '89260-4': 'WAREA^Wound area^L', 'area-lower-bound': 'WAREA-LO' },
      units: { cm2: 'SQCM^^L' },
      sites: { '84607009': 'HEEL^Heel^L' },
    };

    it('has theirs first and the standard ones beside them', () => {
      const segments = segmentsOf(
        resultFacts(heelReport()),
        destinationSettings({ codes: CODES, version: '2.7', intervals: true }),
      );
      const rows = rowsOf(segments);
      expect(rows.get('WAREA 1')!.slice(3, 7)).toEqual([
        'WAREA^Wound area^L^89260-4^Area of wound^LN',
        '1',
        '6.17',
        'SQCM^square centimeter^L^cm2^square centimeter^UCUM',
      ]);
      expect(rows.get('WAREA-LO 1')![3]).toBe(
        'WAREA-LO^Area of wound, lower bound^^area-lower-bound^Area of wound, lower bound^99SUT',
      );
      expect([rows.get('wound-site 1')![5], rows.get('WAREA 1')![20]]).toEqual([
        'HEEL^Heel^L^84607009^Skin structure of heel^SCT',
        'HEEL^Heel^L^84607009^Skin structure of heel^SCT',
      ]);
      expect(rows.get('39126-8 1')![6]).toBe('cm^centimeter^UCUM');
    });

    it('leaves out the rows that a destination does not want, in what stands and in what is taken back', () => {
      const omit = ['model-confidence', 'conclusion', '72371-8', '72370-0'];
      const before = heelReport({ status: 'final' });
      const after = { ...heelReport({ version: 2, status: 'corrected' }, findingsWithoutWound(), null), id: before.id };
      for (const facts of [resultFacts(before), resultFacts(after, { before })]) {
        const left = [...rowsOf(segmentsOf(facts, destinationSettings({ omit }))).keys()].map(
          (key) => key.split(' ')[0]!,
        );
        expect(left.filter((code) => omit.includes(code))).toEqual([]);
        expect(left).toContain('89260-4');
      }
    });

    it.each([
      [{ codes: { observations: { '89260-5': 'X' } } }, /codes\/observations/],
      [{ codes: { observations: { '89260-4': 'A|B' } } }, /must be written as code\^text\^coding system/],
      [{ codes: { observations: { '89260-4': 'A^B^C^D' } } }, /codes\/observations\/89260-4/],
      [{ codes: { units: { mm: 'MM' } } }, /codes\/units/],
      [{ codes: { colours: {} } }, /codes/],
      [{ omit: ['everything'] }, /omit\/0/],
    ])('are refused at entry where they say %j', (wish, told) => {
      const refused = (() => {
        try {
          parseDestinationSettings({ host: 'ehr', port: 1, ...wish });
          return '';
        } catch (fault) {
          return JSON.stringify((fault as { facts: unknown }).facts);
        }
      })();
      expect(refused).toMatch(told);
    });
  });
});
