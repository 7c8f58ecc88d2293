import { readingOf, reportsOf } from '../../../test/support/sample-report.js';
import { ReportRenderer } from '../rendering/report-renderer.js';
import { columnsOf, wrapText } from './wrap-text.js';
import { textTable } from './text-table.js';
import { NO_PICTURES } from '../../core/report/clinical-report.js';

const textOf = async (...[wish]: Parameters<typeof reportsOf>) =>
  Buffer.from(await new ReportRenderer().render(readingOf(reportsOf(wish)), NO_PICTURES, 'text', 'en')).toString(
    'utf8',
  );

describe('a report as plain text', () => {
  it('is never wider than 78 columns, whatever was written into it', async () => {
    const clinicalContext = `${'unbroken'.repeat(40)} 患者の創傷 ${'漢字'.repeat(60)} ${'words of a note '.repeat(90)}`;
    const text = await textOf({ weeks: [9, 8], content: { clinicalContext } });
    expect(Math.max(...text.split('\n').map(columnsOf))).toBeLessThanOrEqual(78);
  });

  it('loses nothing of a long text', async () => {
    const clinicalContext = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
    const text = await textOf({ weeks: [9], content: { clinicalContext } });
    for (const word of clinicalContext.split(' ')) expect(text).toContain(word);
  });

  it('has no signs that move a cursor or turn the reading order', async () => {
    const text = await textOf({ weeks: [9], content: { clinicalContext: 'a\u001b[2Jb\u202ec\u0000d\r\ne\tf' } });
    expect(text).toContain('> a\ufffd[2Jb\ufffdc\ufffdd\n> e f\n');
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
  });

  it('says nothing of photos, which it cannot show', async () => {
    expect(await textOf({ weeks: [9, 8] })).not.toMatch(/photos|not available/i);
  });
});

describe('wrapping', () => {
  it('counts wide signs twice and joined signs once', () => {
    expect(columnsOf('ab漢👩‍⚕️é')).toBe(7);
  });

  it('cuts a word that no line holds, and keeps a figure with its unit', () => {
    expect(wrapText('aaaaaaaaaaaa 12\u00a0cm²', 5)).toEqual(['aaaaa', 'aaaaa', 'aa', '12\u00a0cm', '²']);
    expect(wrapText('an area of 12.34\u00a0cm²', 16)).toEqual(['an area of', '12.34\u00a0cm²']);
  });
});

describe('a table as plain text', () => {
  it('wraps the cells of its widest columns', () => {
    expect(textTable(['a', 'b'], [['one', 'some words in a cell']], 20, ': ')).toEqual([
      'a    b',
      '--------------------',
      'one  some words in a',
      '     cell',
    ]);
  });

  it('is told row by row rather than with words cut', () => {
    expect(textTable(['name', 'first', 'second'], [['row', 'aaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbb']], 30, ': ')).toEqual([
      'row',
      '  first: aaaaaaaaaaaaaa',
      '  second: bbbbbbbbbbbbbbb',
    ]);
  });
});
