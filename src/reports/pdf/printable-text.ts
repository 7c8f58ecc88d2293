import { UNPRINTABLE } from '../documents/given-text.js';
import { isPrintable } from './shared-fonts.js';

const LATIN = /^[\n\u0020-\u007e\u00a0-\u00ff]*$/;
/** Joiners and variation marks belong to the sign before them and have no shape of their own. */
const SHAPELESS = /[\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]/g;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export interface PrintableText {
  readonly text: string;
  /** True where a sign had to be replaced, visibly. */
  readonly replaced: boolean;
}

/** Text that the embedded fonts can print: a sign that they lack becomes one mark that shows that something is missing. */
export function toPrintable(given: string): PrintableText {
  if (LATIN.test(given)) return { text: given, replaced: false };
  let replaced = false;
  const parts = [...graphemes.segment(given.normalize('NFC'))].map(({ segment }) => {
    const bare = segment.replace(SHAPELESS, '');
    if ([...bare].every((sign) => sign === '\n' || isPrintable(sign.codePointAt(0)!))) return bare;
    replaced = true;
    return UNPRINTABLE;
  });
  return { text: parts.join(''), replaced };
}
