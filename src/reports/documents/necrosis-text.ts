import type { SeriesComparison } from '../../core/followup/series.js';
import type { Pen } from './document-blocks.js';

/** Much necrosis that the software alone sees: a point to look at, of which nothing else follows. Empty: none. */
export function necrosisTexts({ say, figures }: Pen, { unconfirmedNecrosis }: SeriesComparison): string[] {
  if (unconfirmedNecrosis === undefined) return [];
  const { fromPct, toPct } = unconfirmedNecrosis;
  const to = figures.percent(toPct);
  return [
    fromPct === null ? say('look.necrosis', { to }) : say('look.necrosisMore', { from: figures.percent(fromPct), to }),
  ];
}
