import { createHash } from 'node:crypto';
import {
  findingsWithArea,
  findingsWithWounds,
  readingOf,
  reportsOf,
  samplePictures,
  SUBJECT,
} from '../../../test/support/sample-report.js';
import { TISSUE_TABLE } from '../../core/tissue/tissues.js';
import { NO_PICTURES } from '../../core/report/clinical-report.js';
import { ReportRenderer } from '../rendering/report-renderer.js';
import { LANGUAGES } from '../wording/language.js';

const HOSTILE = `<script>alert("x")</script><img src=x onerror='alert(1)'>&amp;"'</blockquote>`;
const renderer = new ReportRenderer();

async function html(
  content: Parameters<typeof reportsOf>[0]['content'] = {},
  language: (typeof LANGUAGES)[number] = 'en',
): Promise<string> {
  const pictures = await samplePictures();
  return Buffer.from(
    await renderer.render(readingOf(reportsOf({ weeks: [9, 8], content })), pictures, 'html', language),
  ).toString('utf8');
}

describe('a report as HTML', () => {
  it('runs nothing of what others wrote into it', async () => {
    const text = await html({
      clinicalContext: HOSTILE,
      subject: {
        ...SUBJECT,
        patient: { system: HOSTILE, value: HOSTILE },
        woundId: HOSTILE,
        woundIdSystem: HOSTILE,
        bodySite: { display: HOSTILE, code: HOSTILE },
        woundType: { display: HOSTILE },
      },
      review: {
        decision: 'accept',
        reviewer: { id: HOSTILE, name: HOSTILE, system: HOSTILE },
        note: HOSTILE,
        reviewedAt: '2025-11-01T08:09:10Z',
      },
      models: [{ name: HOSTILE, version: HOSTILE, sha256: '', researchOnly: false }],
    });
    expect(text).not.toMatch(/<script|<img src=x|onerror='/);
    expect(text.match(/&lt;script&gt;/g)!.length).toBeGreaterThanOrEqual(10);
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)![1]!;
    expect(style).not.toContain('<');
    expect(style).not.toContain('"x"');
  });

  it('fetches nothing and has no script: its pictures lie inside', async () => {
    const text = await html();
    expect(text).not.toMatch(/<script|<link|<iframe|@import|url\(|(?:src|href)="(?!data:)/);
    expect(text.match(/<img src="data:image\/jpeg;base64,/g)).toHaveLength(5);
    expect(text).toContain("default-src 'none'; img-src data:;");
  });

  it('allows exactly its own style', async () => {
    const text = await html();
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)![1]!;
    expect(text).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(text.slice(text.indexOf('<body>'))).not.toContain(' style=');
  });

  it.each(LANGUAGES)('says that it is written in %s', async (language) => {
    expect(await html({}, language)).toContain(`<html lang="${language}">`);
  });

  it('closes every element it opens', async () => {
    const open: string[] = [];
    const body = (await html()).replace(/<!DOCTYPE html>|<style>[\s\S]*?<\/style>/g, '');
    for (const [, closing, name, , self] of body.matchAll(/<(\/?)([a-z0-9]+)((?:\s[^<>]*?)?)(\/?)>/gi)) {
      if (self === '/' || ['meta', 'img', 'br'].includes(name!)) continue;
      if (closing === '') open.push(name!);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  it('has one main heading, named columns and rows, and words for each picture', async () => {
    const text = await html();
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text.match(/<th scope="col">/g)!.length).toBeGreaterThan(5);
    expect(text.match(/<th scope="row">/g)!.length).toBeGreaterThan(10);
    const alts = [...text.matchAll(/<img [^>]*alt="([^"]*)"/g)].map(([, alt]) => alt!.replaceAll('\u00a0', ' '));
    expect(alts).toEqual([
      'Close-up of the wound with its outline, 3 Sept 2025, 07:05:09 UTC',
      'Map of the tissues in the wound bed, 3 Sept 2025, 07:05:09 UTC. The shares are in the table.',
      'Photo of the wound with its outline, 3 Sept 2025, 07:05:09 UTC',
      'The wound with its outline, 3 Sept 2025, 07:05:09 UTC. Area 9.00 cm²',
      'The wound with its outline, 3 Sept 2025, 07:05:09 UTC. Area 8.00 cm²',
    ]);
    expect(text).toMatch(/<svg [^>]*role="img" aria-label="Chart of the wound’s area over time, 2 assessments/);
  });

  it('repeats its mark and its name on each printed page', async () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(await html())![1]!;
    expect(style).toMatch(/@top-center \{ content: "Preliminary\\3a {2}not reviewed by a clinician"/);
    expect(style).toMatch(/@bottom-right \{ content: counter\(page\)/);
  });

  it('draws each tissue in the colour that every document has for it', async () => {
    const text = await html();
    for (const [tissue, { colour }] of Object.entries(TISSUE_TABLE)) {
      expect(text).toContain(`.${tissue} { fill: ${colour}; }`);
      expect(text).toContain(`class="${tissue}"`);
    }
  });

  it('is the same file for the same report', async () => {
    expect(await html()).toBe(await html());
  });

  it('says so where the photo is not there any more', async () => {
    const text = Buffer.from(
      await renderer.render(readingOf(reportsOf({ weeks: [9] })), NO_PICTURES, 'html', 'en'),
    ).toString('utf8');
    expect(text).toContain('The photo of this assessment is not available.');
    expect(text).not.toContain('<img');
  });

  it('lists every wound of a photo with several, and says which count', async () => {
    const findings = findingsWithWounds([9, 3, 0.5], [1, 2]);
    const text = (await html({ findings })).replaceAll('\u00a0', ' ');
    const table = text.slice(text.indexOf('Wounds in the photo'));
    const rows = [...table.slice(0, table.indexOf('</table>')).matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(
      ([, row]) =>
        row!
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
    );
    expect(rows.map((row) => [row[0], row.slice(-3).trim()])).toEqual([
      ['1', 'yes'],
      ['2', 'yes'],
      ['3', 'no'],
    ]);
    expect(rows[1]).toContain('3.00 (2.55 to 3.45)');
  });

  it('has no table of wounds for a photo of one, and for reports from before they were kept', async () => {
    expect(await html()).not.toContain('Wounds in the photo');
    expect(await html({ findings: findingsWithArea(9, { otherOutlines: 2 }) })).not.toContain('Wounds in the photo');
  });

  it('claims no scale for a picture that has none, and says so', async () => {
    const { compared, ...pictures } = await samplePictures();
    const unscaled = compared.map((one) => ({
      ...one,
      areaCm2: null,
      picture: { ...one.picture, widthCm: null, scaleBarMm: null },
    }));
    const reading = readingOf(reportsOf({ weeks: [9, 8] }));
    const bytes = await renderer.render(reading, { ...pictures, compared: unscaled }, 'html', 'en');
    const text = Buffer.from(bytes).toString('utf8');
    expect(text.match(/No scale: its size cannot be compared\./g)).toHaveLength(2);
    expect(text).not.toContain('have the same scale');
  });
});
