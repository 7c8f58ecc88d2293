// Draws the pages of a report that docs/clinical-report.md shows, from drawn photos. Needs pdftoppm (poppler-utils).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

register('./typescript-hooks.mjs', import.meta.url);
const { readingOf, reportsOf, samplePictures } = await import('../test/support/sample-report.ts');
const { ReportRenderer } = await import('../src/reports/rendering/report-renderer.ts');

const FOLDER = 'docs/pictures';
const DOTS_PER_INCH = 64;
const AREAS = [9.6, 9.1, 8.2, 7.9, 9.4, 10.9];
/** Language, page. */
const PAGES = [
  ['en', 1],
  ['en', 2],
  ['de', 1],
  ['fr', 1],
  ['es', 1],
];

const heading = {
  patientName: 'Example, Anna',
  birthDate: '1951-07-14',
  patientNumber: 'MRN-0047-1182',
  facility: 'Example Hospital, ward 7',
  orderer: 'Dr. Example',
  timeZone: 'Europe/Berlin',
};
const reading = { ...readingOf(reportsOf({ weeks: AREAS })), heading };
const pictures = await samplePictures();
const folder = mkdtempSync(join(tmpdir(), 'docs-pictures-'));
for (const [language, page] of PAGES) {
  const pdf = join(folder, `${language}.pdf`);
  writeFileSync(pdf, await new ReportRenderer().render(reading, pictures, 'pdf', language));
  const picture = `${FOLDER}/report-${language}-page-${page}`;
  const only = ['-f', String(page), '-l', String(page), '-singlefile'];
  execFileSync('pdftoppm', ['-png', '-r', String(DOTS_PER_INCH), ...only, pdf, picture]);
  console.log(`${picture}.png`);
}
rmSync(folder, { recursive: true });
