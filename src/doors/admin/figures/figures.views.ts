import type { FigurePoint } from '../../../core/figures/service-figures.js';

/** The service's figures as the admin API shows them. */
export interface FiguresView {
  /** Length of each span. */
  readonly stepS: number;
  /** Oldest first; `figures` null: no gateway ran. */
  readonly points: readonly { readonly at: string; readonly figures: FigurePoint['figures'] }[];
}
