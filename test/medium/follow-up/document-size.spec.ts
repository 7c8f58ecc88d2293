import { LANGUAGES } from '../../../src/reports/wording/language.js';
import { ReportRenderer } from '../../../src/reports/rendering/report-renderer.js';
import { PAPERS } from '../../../src/core/report/report-document.js';
import type { ReportPictures, ReportReading } from '../../../src/core/report/clinical-report.js';
import { drawReport } from '../../support/drawn-report.js';
import { pdfPageBytes } from '../../support/pdf-text.js';

const KIB = 1024;
/** A ward's network loads this in a second. */
const FIRST_PAGE_BYTES = 250 * KIB;
const DOCUMENT_BYTES = 1536 * KIB;

describe('a report of photos of 12 megapixels, with all its pictures', () => {
  let reading: ReportReading;
  let pictures: ReportPictures;

  beforeAll(async () => {
    ({ reading, pictures } = await drawReport([12, 9.8, 8]));
  }, 60_000);

  it('has every picture there is', () => {
    expect([pictures.overview, pictures.closeUp, pictures.tissueMap].every((picture) => picture !== null)).toBe(true);
    expect(pictures.compared.map(({ place }) => place)).toEqual(['first', 'previous', 'current']);
  });

  it('has pictures of at least as much detail as those of real photos', () => {
    const { bytes, widthPx, heightPx } = pictures.overview!;
    expect((8 * bytes.length) / (widthPx * heightPx)).toBeGreaterThan(1.3);
  });

  it.each(LANGUAGES.flatMap((language) => PAPERS.map((paper) => [language, paper] as const)))(
    'is a PDF of at most 1.5 MiB, and its first page of at most 250 KiB: %s, %s',
    async (language, paper) => {
      const pdf = await new ReportRenderer().render(reading, pictures, 'pdf', language, paper);
      const [first] = pdfPageBytes(pdf);
      expect(pdf.length).toBeGreaterThan(first!);
      expect(first).toBeLessThanOrEqual(FIRST_PAGE_BYTES);
      expect(pdf.length).toBeLessThanOrEqual(DOCUMENT_BYTES);
    },
  );

  it('is an HTML page of at most 1.5 MiB', async () => {
    const html = await new ReportRenderer().render(reading, pictures, 'html', 'en');
    expect(html.length).toBeLessThanOrEqual(DOCUMENT_BYTES);
  });
});
