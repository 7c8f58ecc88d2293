/** The papers that documents are printed on. */
export const PAPERS = ['a4', 'letter'] as const;
export type Paper = (typeof PAPERS)[number];

export const DEFAULT_PAPER: Paper = 'a4';

/** In millimetres; `cssName` as style sheets have it (CSS Paged Media 3, `size`). */
export const PAPER_TABLE: Readonly<
  Record<Paper, { readonly width: number; readonly height: number; readonly cssName: string }>
> = {
  a4: { width: 210, height: 297, cssName: 'A4' },
  letter: { width: 215.9, height: 279.4, cssName: 'letter' },
};
