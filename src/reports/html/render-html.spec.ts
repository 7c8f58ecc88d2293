import { createHash } from 'node:crypto';
import { readingOf, reportsOf, samplePictures, SUBJECT } from '../../../test/support/sample-report.js';
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
    expect(text.match(/<img src="data:image\/jpeg;base64,/g)).toHaveLength(3);
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
    expect(
      text.match(/alt="Photo of the wound with its outline, 3\u00a0Sept\u00a02025, 07:05:09\u00a0UTC"/g),
    ).toHaveLength(3);
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
});
