import { LANGUAGES, type Language } from '../../../src/reports/wording/language.js';
import { ReportRenderer } from '../../../src/reports/rendering/report-renderer.js';
import { speak } from '../../../src/reports/wording/wording.js';
import { PAPERS, type Paper } from '../../../src/core/report/report-document.js';
import type { ClinicianObservations } from '../../../src/core/analysis/clinician-observations.js';
import type { ReportPictures, ReportReading } from '../../../src/core/report/clinical-report.js';
import type { ReportHeading } from '../../../src/core/report/report-heading.js';
import { drawReport } from '../../support/drawn-report.js';
import { pdfPageBytes, pdfPages } from '../../support/pdf-text.js';

const KIB = 1024;
/** A ward's network loads this in a second. */
const FIRST_PAGE_BYTES = 250 * KIB;
const DOCUMENT_BYTES = 1536 * KIB;
/** A page with less on it is a page too many. */
const FEWEST_LINES = 7;
const HEADING: ReportHeading = {
  patientName: 'Beispiel-Musterfrau, Anna Katharina',
  birthDate: '1951-07-14',
  patientNumber: 'MRN-778812 (HOSP)',
  facility: 'St. Example Hospital, Ward 7, Room 12, Bed 2',
  orderer: 'Dr. Petra Pflege',
  timeZone: 'Europe/Berlin',
};
const FIELDS: ClinicianObservations = {
  depthCm: 0.6,
  lengthCm: 4.1,
  widthCm: 3.2,
  exudate: 'moderate',
  exudateType: 'serous',
  odour: 'faint',
  painNrs: 3,
  undermining: [{ fromClock: 2, toClock: 5, depthCm: 1.2 }],
  tunnelling: [{ clock: 7, depthCm: 2 }],
  edges: ['rolled'],
  periwound: ['macerated', 'erythema'],
  infectionSigns: ['warm to the touch'],
};
const everyPaper = LANGUAGES.flatMap((language) => PAPERS.map((paper) => [language, paper] as const));

describe('a report of photos of 12 megapixels, with all its pictures', () => {
  let reading: ReportReading;
  let pictures: ReportPictures;
  const set = new Map<string, Promise<Uint8Array>>();

  beforeAll(async () => {
    ({ reading, pictures } = await drawReport([12, 9.8, 8.6, 8]));
  });

  /** With all that a report may have; set once in each language, for each paper. */
  const pdfOf = (language: Language, paper: Paper): Promise<Uint8Array> => {
    const { report } = reading;
    const content = { ...report.content, clinicianObservations: FIELDS };
    const usual = { ...reading, heading: HEADING, report: { ...report, content } };
    const known =
      set.get(`${language} ${paper}`) ?? new ReportRenderer().render(usual, pictures, 'pdf', language, paper);
    set.set(`${language} ${paper}`, known);
    return known;
  };

  it('has every picture there is', () => {
    expect([pictures.overview, pictures.closeUp, pictures.tissueMap].every((picture) => picture !== null)).toBe(true);
    expect(pictures.compared.map(({ place }) => place)).toEqual(['first', 'previous', 'current']);
  });

  it('has pictures of at least as much detail as those of real photos', () => {
    const { bytes, widthPx, heightPx } = pictures.overview!;
    expect((8 * bytes.length) / (widthPx * heightPx)).toBeGreaterThan(1.3);
  });

  it.each(everyPaper)(
    'is a PDF of at most 1.5 MiB, and its first page of at most 250 KiB: %s, %s',
    async (language, paper) => {
      const pdf = await pdfOf(language, paper);
      const [first] = pdfPageBytes(pdf);
      expect(pdf.length).toBeGreaterThan(first!);
      expect(first).toBeLessThanOrEqual(FIRST_PAGE_BYTES);
      expect(pdf.length).toBeLessThanOrEqual(DOCUMENT_BYTES);
    },
  );

  it.each(everyPaper)(
    'has two pages and an annex, with heading, curve and clinician’s fields, and none nearly empty: %s, %s',
    async (language, paper) => {
      const pages = pdfPages(await pdfOf(language, paper));
      const annex = speak(language)('section.annex');
      expect(pages.findIndex((page) => page.split('\n').some((line) => line.trim() === annex))).toBe(2);
      for (const page of pages) expect(page.split('\n').length).toBeGreaterThan(FEWEST_LINES);
    },
  );

  it('is an HTML page of at most 1.5 MiB', async () => {
    const html = await new ReportRenderer().render(reading, pictures, 'html', 'en');
    expect(html.length).toBeLessThanOrEqual(DOCUMENT_BYTES);
  });
});
