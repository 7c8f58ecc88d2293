import { pdfMarkup, pdfPages, pdfTextBoxes } from '../../support/pdf-text.js';
import {
  courseOf,
  readingOf,
  reportsOf,
  samplePictures,
  SUBJECT,
  type SeriesOptions,
} from '../../support/sample-report.js';
import type { ReportHeading } from '../../../src/core/report/report-heading.js';
import { ReportRenderer } from '../../../src/reports/rendering/report-renderer.js';
import { LANGUAGES, type Language } from '../../../src/reports/wording/language.js';
import { NO_PICTURES } from '../../../src/core/report/clinical-report.js';

const renderer = new ReportRenderer();
const A4_POINTS = { width: 595.28, height: 841.89 };
const MARGIN_POINTS = 51;
const words = (text: string) => text.replace(/\s+/g, ' ');

async function pdf(wish: SeriesOptions, language: Language = 'en', withPictures = false): Promise<Uint8Array> {
  const pictures = withPictures ? await samplePictures(undefined, { width: 300, height: 420 }) : NO_PICTURES;
  return renderer.render(readingOf(reportsOf(wish)), pictures, 'pdf', language);
}

const HEADING: ReportHeading = {
  patientName: null,
  birthDate: '1951-07-14',
  patientNumber: 'MRN-7',
  facility: null,
  orderer: null,
  timeZone: 'UTC',
};

async function pagesOf(heading: ReportHeading): Promise<string[]> {
  const reading = { ...readingOf(reportsOf({ weeks: [10, 9] })), heading };
  return pdfPages(await renderer.render(reading, NO_PICTURES, 'pdf', 'en')).map(words);
}

describe('a report as PDF', () => {
  it('breaks 4,000 characters of clinical context over pages and loses none of them', async () => {
    const clinicalContext = Array.from({ length: 780 }, (_, index) => `w${index}${index % 9 === 8 ? '\n' : ' '}`)
      .join('')
      .slice(0, 4000);
    const pages = pdfPages(await pdf({ weeks: [9], content: { clinicalContext } }));
    const text = words(pages.join('\n'));
    for (const word of clinicalContext.split(/\s+/)) expect(text).toContain(word);
    expect(pages.filter((page) => /\bw\d+ w\d+/.test(page)).length).toBeGreaterThan(1);
  });

  it('cuts a word that no line holds', async () => {
    const pages = pdfPages(
      await pdf({
        weeks: [9],
        content: { clinicalContext: 'x'.repeat(4000), subject: { ...SUBJECT, woundId: 'y'.repeat(255) } },
      }),
    );
    const letters = pages.join('').replace(/\s/g, '');
    expect(letters.match(/x/g)!.length).toBeGreaterThanOrEqual(4000);
    expect(letters.match(/y/g)!.length).toBeGreaterThanOrEqual(255);
  });

  it.each(LANGUAGES)('draws nothing outside the margins and no line over another, in %s', async (language) => {
    const clinicalContext = 'A long note about dressing, off-loading and pain. '.repeat(80);
    const content = { clinicalContext, subject: { ...SUBJECT, woundId: 'a-very-long-name-of-a-wound/'.repeat(9) } };
    const boxes = pdfTextBoxes(
      await pdf({ weeks: Array.from({ length: 30 }, (_, week) => 40 - week), content }, language, true),
    );
    expect(boxes.length).toBeGreaterThan(250);
    for (const { x, y } of boxes) {
      expect(x).toBeGreaterThanOrEqual(MARGIN_POINTS);
      expect(x).toBeLessThan(A4_POINTS.width - MARGIN_POINTS);
      expect(y).toBeGreaterThan(20);
      expect(y).toBeLessThan(A4_POINTS.height - 20);
    }
    // Two lines of one place would stand over each other.
    const tooNear = boxes.filter((box, index) =>
      boxes
        .slice(index + 1)
        .some(
          (other) =>
            other.page === box.page && Math.abs(other.x - box.x) < 1 && Math.abs(other.y - box.y) < 0.8 * box.size,
        ),
    );
    expect(tooNear).toEqual([]);
  });

  it('prints Greek and Cyrillic, and shows visibly what it cannot print', async () => {
    const name = 'Ελένη Παπαδοπούλου, Иван Щербаков, Nguyễn Łukasz';
    const pages = words(
      pdfPages(await pdf({ weeks: [9], content: { clinicalContext: `${name} 🩹 患者 👩‍⚕️ e\u0301` } })).join(' '),
    );
    expect(pages).toContain(`${name} \ufffd \ufffd\ufffd \ufffd é`);
    expect(pages).toContain('Characters shown as \ufffd cannot be printed here');
  });

  it.each([
    ['محمد عبد الرحمن', '[cannot be printed in this typeface: see the chart]', 'Patient: [not printable], 14 Jul 1951'],
    ['王, 小明', '[cannot be printed in this typeface: see the chart]', 'Patient: [not printable], 14 Jul 1951'],
    ['王, Xiaoming', '\ufffd, Xiaoming [characters shown as \ufffd', 'Patient: [not printable], Xiaoming, 14 Jul 1951'],
  ])(
    'says beside a name that it cannot print it, and at the head of each page: %s',
    async (patientName, beside, head) => {
      const [first, ...others] = await pagesOf({ ...HEADING, patientName });
      expect(first).toContain(beside);
      for (const page of others) expect(page).toContain(head);
    },
  );

  it('keeps birth date, number and wound at the head of each page, however long the name is', async () => {
    const patientName = 'Wolfeschlegelsteinhausenbergerdorff-Schmidtsoulhammer, Maria';
    const [, ...others] = await pagesOf({ ...HEADING, patientName });
    expect(others.length).toBeGreaterThan(0);
    for (const page of others) expect(page).toContain(`${patientName}, 14 Jul 1951, MRN-7 · Wound: ward-7/heel-left`);
  });

  it('goes on with the annex on a page that is nearly empty, and on no other', async () => {
    const annexPage = async (weeks: readonly number[]) => {
      const pictures = { ...(await samplePictures()), compared: [] };
      const reading = readingOf(reportsOf({ weeks, content: { clinicianObservations: null } }));
      const pages = pdfPages(await renderer.render(reading, pictures, 'pdf', 'en'));
      return pages.find((page) => page.split('\n').some((line) => line.trim() === 'Annex'))!;
    };
    expect(await annexPage([9])).toContain('Tissue in the wound bed');
    expect(await annexPage([10, 9.5, 9])).not.toContain('Tissue in the wound bed');
  });

  it('says nothing of missing characters where none is missing', async () => {
    expect(words(pdfPages(await pdf({ weeks: [9] })).join(' '))).not.toContain('Characters shown as');
  });

  it.each(LANGUAGES)('numbers its pages and names the report on each, in %s', async (language) => {
    const pages = pdfPages(await pdf({ weeks: [10, 9, 9, 8, 7.5] }, language));
    const of = { en: 'Page # of', es: 'Página # de', de: 'Seite # von', fr: 'Page # sur' }[language];
    pages.forEach((page, index) => {
      expect(words(page)).toContain(`${of.replace('#', String(index + 1))} ${pages.length}`);
      expect(page).toContain('0199bbbb-0000-7000-8000-aaaa00000004');
      if (index > 0) expect(page).toContain('MRN-0047-1182');
    });
  });

  it('bears its mark on every page', async () => {
    const preliminary = pdfPages(await pdf({ weeks: [10, 9, 9, 8, 7.5] }));
    const withdrawn = pdfPages(
      await pdf({
        weeks: [10, 9],
        report: { status: 'entered-in-error', replacedBy: '0199cccc-0000-7000-8000-000000000077' },
      }),
    );
    expect(preliminary.length).toBeGreaterThan(1);
    for (const page of preliminary) expect(page).toContain('Preliminary: not reviewed by a clinician');
    for (const page of withdrawn) expect(page).toContain('Replaced by report 0199cccc-0000-7000-8000-000000000077');
  });

  it('is tagged, with title, language, headings, tables and words for its pictures', async () => {
    const markup = pdfMarkup(await pdf({ weeks: [10, 9] }, 'fr', true));
    expect(markup).toContain('/Marked true');
    expect(markup).toMatch(/\/Lang \(fr\)/);
    expect(markup).toContain('/DisplayDocTitle true');
    for (const type of [
      'Document',
      'H1',
      'H2',
      'P',
      'L',
      'LI',
      'LBody',
      'Table',
      'TR',
      'TH',
      'TD',
      'Figure',
      'Caption',
      'BlockQuote',
    ])
      expect(markup).toContain(`/S /${type}\n`);
    // The body map, the photo, the two beside each other, the curve.
    expect(markup.match(/\/Alt /g)).toHaveLength(7);
    expect(markup).toMatch(/\/Scope \/(?:Row|Column)/);
  });

  it('brings its fonts and no others', async () => {
    const markup = pdfMarkup(await pdf({ weeks: [10, 9] }));
    expect(markup.match(/\/FontFile2 /g)).toHaveLength(2);
    expect(markup).not.toMatch(/Helvetica|Times|Courier/);
  });

  it('is the same file for the same report, whichever was made before', async () => {
    const first = await pdf({ weeks: [10, 9] }, 'en', true);
    await pdf({ weeks: [3], content: { clinicalContext: 'Щ ж Ω other letters' } }, 'de');
    expect(Buffer.from(await pdf({ weeks: [10, 9] }, 'en', true)).equals(Buffer.from(first))).toBe(true);
  });

  it('is the same file in a process that has made none before', async () => {
    const after = await pdf({ weeks: [10, 9], content: { clinicalContext: 'Señor Ñandú, Łódź, office' } });
    await jest.isolateModulesAsync(async () => {
      const fresh = await import('../../../src/reports/rendering/report-renderer.js');
      const reading = readingOf(
        reportsOf({ weeks: [10, 9], content: { clinicalContext: 'Señor Ñandú, Łódź, office' } }),
      );
      expect(
        Buffer.from(await new fresh.ReportRenderer().render(reading, NO_PICTURES, 'pdf', 'en')).equals(
          Buffer.from(after),
        ),
      ).toBe(true);
    });
  });

  it('has both photos, whatever their shape, or says that the photo is not there', async () => {
    expect(pdfMarkup(await pdf({ weeks: [10, 9] }, 'en', true)).match(/\/Subtype \/Image/g)).toHaveLength(5);
    const panorama = await samplePictures({ width: 1200, height: 100 }, { width: 60, height: 600 });
    expect(
      pdfMarkup(await renderer.render(readingOf(reportsOf({ weeks: [10, 9] })), panorama, 'pdf', 'en')).match(
        /\/Subtype \/Image/g,
      ),
    ).toHaveLength(5);
    expect(words(pdfPages(await pdf({ weeks: [10, 9] })).join(' '))).toContain(
      'The photo of this assessment is not available.',
    );
  });

  it('repeats the head of a table that goes on', async () => {
    const course = courseOf(reportsOf({ weeks: Array.from({ length: 120 }, (_, week) => 130 - week) }));
    const pages = pdfPages(await renderer.renderCourse(course, { first: null, last: null }, 'pdf', 'en'));
    expect(pages.filter((page) => page.includes('G / S / N / X')).length).toBeGreaterThan(2);
  });
});
