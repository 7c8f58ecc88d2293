import type { ElementContent } from './element-table.js';
import { refused } from './xml-faults.js';

/** The forms of R4's numbers. */
const NUMBER = /^[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** A value as it stands in JSON; one of another form stays text, which validation names. `request.invalid` for a number that is too long. */
export function toPrimitive(text: string, content: ElementContent, digits: number): string | number | boolean {
  if (content === 'text') return text;
  if (content === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (text.length > digits && NUMBER.test(text))
    throw refused(`A number of the body is longer than ${digits} characters. Shorten it.`);
  return NUMBER.test(text) ? Number(text) : text;
}
