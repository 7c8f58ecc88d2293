import { rowsOf, textOf } from './pages.js';

/** ANSI/NEMA HN 1-2019, the sections of its form, in its order but for the document's own. */
const SECTIONS =
  'DOC MPII ALOF AUDT AUTH CSUP DIDT DTBK EMRG IGAU MLDP NAUT CONN PAUT PLOK RDMP SBoM SAHD SGUD STCF TXCF TXIG RMOT OTHR';
const ANSWERS = ['Yes', 'No', 'N/A', 'Site'];

describe('docs/mds2.md', () => {
  const parts = textOf('docs/mds2.md')
    .split(/^## /m)
    .slice(1)
    .map((part) => ({ section: part.split(':')[0]!, rows: rowsOf(part).filter(([first]) => first !== 'Question') }));

  it('has each section of the form', () => {
    expect(parts.map(({ section }) => section)).toEqual(SECTIONS.split(' '));
  });

  it.each(parts)('answers each question of $section with a plain word', ({ rows }) => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(([, answer]) => !ANSWERS.includes(answer!))).toEqual([]);
  });
});
