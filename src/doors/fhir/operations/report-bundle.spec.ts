import type { Bundle, Composition, DiagnosticReport, Patient } from '@medplum/fhirtypes';
import { readingOf, reportsOf } from '../../../../test/support/sample-report.js';
import { fromXml, toXml } from '../../../../test/support/xml-documents.js';
import type { ReportReading } from '../../../core/report/clinical-report.js';
import { REPORT_STATUSES } from '../../../core/report/report-status.js';
import { LANGUAGES, type Language } from '../../../reports/index.js';
import { narrativeFault } from '../../../standards/fhir/validation/narrative/xhtml-check.js';
import { toReportBundle } from './report-bundle.js';

const PATIENT: Patient = { resourceType: 'Patient', id: 'p' };
const PLACE = { base: 'https://gateway.example/fhir', id: '0199aaaa-0000-7000-8000-00000000d0c0' };

function bundleOf(reading: ReportReading, language: Language = 'en'): Bundle {
  const report = {
    resourceType: 'DiagnosticReport',
    id: reading.report.id,
    subject: { reference: 'Patient/p' },
  } as DiagnosticReport;
  return toReportBundle(reading, { report, others: [PATIENT] }, { ...PLACE, language });
}

const compositionOf = (bundle: Bundle) => bundle.entry![0]!.resource as Composition;
const divsOf = (bundle: Bundle) => compositionOf(bundle).section!.map(({ text }) => text!.div!);

describe('a report as a document', () => {
  it.each(LANGUAGES)('is told in %s as XHTML that R4 takes, each section with a title and some text', (language) => {
    for (const reading of [readingOf(reportsOf({ weeks: [9] })), readingOf(reportsOf({ weeks: [9, 8, 7] }))]) {
      const bundle = bundleOf(reading, language);
      expect(divsOf(bundle).map(narrativeFault)).toEqual(divsOf(bundle).map(() => null));
      expect(compositionOf(bundle).section!.every(({ title }) => title !== undefined && title !== '')).toBe(true);
    }
  });

  it('takes a sender’s words for words, whatever they are made of', () => {
    const clinicalContext = '<script>alert(1)</script> & ]]> \u001b[2J \u0000 \ud800 \u202e end';
    const divs = divsOf(bundleOf(readingOf(reportsOf({ weeks: [9], content: { clinicalContext } }))));
    expect(divs.map(narrativeFault)).toEqual(divs.map(() => null));
    expect(divs.join('')).toContain('&lt;script&gt;');
    expect(divs.join('')).not.toContain('<script');
  });

  it.each(LANGUAGES)('comes back from XML in %s as it went', (language) => {
    const clinicalContext = `"quoted" & it’s 'so' <b> 1 < 2`;
    const bundle = bundleOf(readingOf(reportsOf({ weeks: [9, 8], content: { clinicalContext } })), language);
    expect(fromXml(toXml(bundle))).toEqual(bundle);
  });

  it('has every figure of the first page: tiles and shares are tables', () => {
    const text = divsOf(bundleOf(readingOf(reportsOf({ weeks: [9] })))).join('');
    expect(text).toMatch(/9\.00?\s*cm²/u);
    expect(text).toMatch(/58(\.3)?\s*%/u);
  });

  it('begins with what the report is worth, and stays small', () => {
    const bundle = bundleOf(readingOf(reportsOf({ weeks: [12, 11, 10, 9, 8, 7] })));
    expect(divsOf(bundle)[0]).toContain('Preliminary');
    expect(JSON.stringify(bundle).length).toBeLessThan(64 * 1024);
  });

  it.each(REPORT_STATUSES)('is no more final than a report that is %s', (status) => {
    const reading = readingOf(reportsOf({ weeks: [9] }));
    const composition = compositionOf(bundleOf({ ...reading, report: { ...reading.report, status } }));
    expect(composition.status).toBe(status === 'corrected' ? 'amended' : status);
  });

  it('names nobody as a signer where nobody confirmed it', () => {
    expect(compositionOf(bundleOf(readingOf(reportsOf({ weeks: [9] }))))).not.toHaveProperty('attester');
  });

  it('points to what is inside it alone', () => {
    const bundle = bundleOf(readingOf(reportsOf({ weeks: [9] })));
    expect(bundle.entry!.map(({ fullUrl }) => fullUrl)).toEqual([
      `urn:uuid:${PLACE.id}`,
      expect.stringMatching(/^https:\/\/gateway\.example\/fhir\/DiagnosticReport\//),
      'https://gateway.example/fhir/Patient/p',
    ]);
    expect(compositionOf(bundle).subject).toEqual({ reference: 'https://gateway.example/fhir/Patient/p' });
  });
});

describe('a number of a report as a document', () => {
  const idOf = (id: string) => ({ system: 'urn:ietf:rfc:3986', value: `urn:uuid:${id}` });

  it('is the same for all its versions, beside that of the Bundle, which is new each time', () => {
    const reading = readingOf(reportsOf({ weeks: [9] }));
    const later = { ...reading, report: { ...reading.report, version: 2 } };
    for (const bundle of [bundleOf(reading), bundleOf(later)]) {
      expect(compositionOf(bundle).identifier).toEqual(idOf(reading.report.id));
      expect(bundle.identifier).toEqual(idOf(PLACE.id));
    }
  });

  it('of the report in whose place it stands is stated, and none where there is no such report', () => {
    const reading = readingOf(reportsOf({ weeks: [9], report: { replaces: '0199aaaa-0000-7000-8000-00000000beef' } }));
    expect(compositionOf(bundleOf(reading)).relatesTo).toEqual([
      { code: 'replaces', targetIdentifier: idOf('0199aaaa-0000-7000-8000-00000000beef') },
    ]);
    expect(compositionOf(bundleOf(readingOf(reportsOf({ weeks: [9] }))))).not.toHaveProperty('relatesTo');
  });
});
