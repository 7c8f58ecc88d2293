import type { CodedValue } from '../../er7/message-writer.js';
import type { LocalCodes } from '../hl7-destination.js';

/** A code as the receiver has it in its table, with ours beside it; ours where the table has none. */
export function localised(value: CodedValue, table: LocalCodes[keyof LocalCodes]): CodedValue {
  const stated = table[value.code === '' ? (value.display ?? '') : value.code];
  if (stated === undefined) return value;
  const [code = '', display = '', system = ''] = stated.split('^');
  const { code: ours, display: words, system: ofUs } = value;
  const alternate =
    ours === ''
      ? undefined
      : {
          code: ours,
          ...(words === undefined ? {} : { display: words }),
          ...(ofUs === undefined ? {} : { system: ofUs }),
        };
  return {
    code,
    display: display === '' ? (value.display ?? '') : display,
    system,
    ...(alternate === undefined ? {} : { alternate }),
  };
}
