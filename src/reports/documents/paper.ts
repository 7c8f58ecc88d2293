import type { Paper } from '../../core/report/report-document.js';

export { DEFAULT_PAPER, PAPERS, type Paper } from '../../core/report/report-document.js';

/** In millimetres; `cssName` as style sheets have it (CSS Paged Media 3, `size`). */
export const PAPER_TABLE: Readonly<
  Record<Paper, { readonly width: number; readonly height: number; readonly cssName: string }>
> = {
  a4: { width: 210, height: 297, cssName: 'A4' },
  letter: { width: 215.9, height: 279.4, cssName: 'letter' },
};
