import type { Tissue } from '../../core/analysis/wound-result.js';

/** The colours that every document draws tissues in; told apart in grey as well: from middle grey over light and black to nearly white. */
export const TISSUE_COLOURS: Readonly<Record<Tissue, string>> = {
  granulation: '#b5473c',
  slough: '#e3c65a',
  necrosis: '#222222',
  other: '#dfe5e9',
};
