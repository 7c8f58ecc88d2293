import { SuturaError } from '../../../core/errors/sutura-error.js';

export const FHIR_NAMESPACE = 'http://hl7.org/fhir';
export const XHTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

/** `request.invalid`: the form of the body, without anything that stands in it. */
export function refused(detail: string): SuturaError {
  return new SuturaError('request.invalid', { detail });
}

/** `request.too_large` */
export function tooLarge(detail: string): SuturaError {
  return new SuturaError('request.too_large', { detail });
}

/** Lines that are counted, some milliseconds; no document that a person reads has more. */
const MOST_LINES = 100_000;

/** `request.invalid`: the syntax, with the place. */
export function notWellFormed(text: string, position: number): SuturaError {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < position; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
    if (line > MOST_LINES) return refused('The body is not well-formed XML. Correct it and send it again.');
  }
  return refused(
    `The body is not well-formed XML at line ${line}, column ${position - start + 1}. Correct it and send it again.`,
  );
}
