import type { Er7Message, Er7Segment } from '../../../../standards/hl7v2/er7/er7-message.js';
import { sentCodesOf } from './coded-values.js';
import { MAPPED_FIELDS, type CodeMaps, type MappedField } from './mapped-fields.js';

/** A code that is read as another one, for a dry run. */
export interface Translation {
  readonly segment: string;
  readonly sequence: number;
  readonly field: number;
  readonly sent: string;
  readonly read: string;
}

/** Our code for what the field has in one of its triplets; the code with its system comes first. undefined: the map says nothing of it. */
export function mappedCodeOf(maps: CodeMaps, field: MappedField, segment: Er7Segment | null): string | undefined {
  const codes = sentCodesOf(segment?.field(Number(field.slice(field.indexOf('-') + 1))).repetitions[0]);
  const names = [...codes.map(({ code, system }) => `${code}^${system}`), ...codes.map(({ code }) => code)];
  const entries = Object.entries(maps[field]);
  for (const name of names) {
    const found = entries.find(([sent]) => sent.toUpperCase() === name.toUpperCase());
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** A code of a table, as the maps read it: trimmed, in upper case; "" where the field is empty. */
export function tableCodeOf(maps: CodeMaps, field: MappedField, segment: Er7Segment): string {
  const sent = segment.field(Number(field.slice(field.indexOf('-') + 1))).text.trim();
  return (mappedCodeOf(maps, field, segment) ?? sent).toUpperCase();
}

/** The codes of a message that are read as others, in its order. */
export function translationsOf({ segments }: Er7Message, maps: CodeMaps): Translation[] {
  return segments.flatMap((segment) =>
    MAPPED_FIELDS.flatMap((name) => {
      const [of, position] = name.split('-') as [string, string];
      const read = segment.name === of ? mappedCodeOf(maps, name, segment) : undefined;
      if (read === undefined) return [];
      const { name: id, sequence } = segment;
      const sent = sentCodesOf(segment.field(Number(position)).repetitions[0])[0]?.code ?? '';
      return [{ segment: id, sequence, field: Number(position), sent, read }];
    }),
  );
}
