import type { Paced } from '../../../platform/turns/turns.js';
import type { Hl7Problem } from '../problems/hl7-problem.js';
import { refused } from '../problems/problem-catalogue.js';
import type { Delimiters } from './er7-message.js';

/** Limits of one message of any type; HL7_MAX_BYTES limits its size. Real messages have less than a tenth of these. */
export const HL7_LIMITS = {
  /** Wrapped Base64 has many. */
  lines: 1_000_000,
  segments: 20_000,
  /** The four kinds of separators together. */
  separators: 200_000,
  /** Base64 whose line ends are escaped has many. */
  escapes: 1_000_000,
  /** Outside of such files: a text is read several times, and each sequence takes as long as a hundred other characters. */
  textEscapes: 50_000,
  /** Orders, or sets of results. */
  orders: 500,
  /** In a field, in a repetition, in a component. */
  repetitions: 1000,
  components: 1000,
  subcomponents: 1000,
  /** In a batch. */
  messages: 10_000,
} as const;

const [CR, LF] = [0x0d, 0x0a];
/** The event loop is yielded around each segment of this length, and after so many shorter ones. */
const [LONG, SEGMENTS_AT_ONCE] = [64 * 1024, 500];

/**
 * The problem of a message with too many lines, counted in its bytes before it is parsed; null: it is within the limit.
 */
export function tooManyLines(bytes: Uint8Array): Hl7Problem | null {
  let lines = 1;
  for (const end of [CR, LF]) {
    for (let at = bytes.indexOf(end); at !== -1; at = bytes.indexOf(end, at + 1)) {
      lines += 1;
      if (lines > HL7_LIMITS.lines)
        return refused('message.too_long', null, `A message has at most ${inWords(HL7_LIMITS.lines)} lines.`);
    }
  }
  return null;
}

/** The first place that exceeds a limit; null: none. */
export function* findingExcess(segments: readonly string[], delimiters: Delimiters): Paced<Hl7Problem | null> {
  const { field, component, repetition, subcomponent, escape } = delimiters;
  let [separators, escapes] = [0, 0];
  for (const [place, raw] of segments.entries()) {
    if (place >= HL7_LIMITS.segments) return tooMany(segments, place, 'segments', 'message');
    if (raw.length > LONG || place % SEGMENTS_AT_ONCE === 0) yield;
    const inside = [repetition, component, subcomponent].map((one) => countIn(raw, one, HL7_LIMITS.separators));
    const parts = inside.some((count) => count >= HL7_LIMITS.repetitions)
      ? excessOfParts(segments, place, delimiters)
      : null;
    if (parts !== null) return parts;
    if (raw.length > LONG) yield;
    separators += countIn(raw, field, HL7_LIMITS.separators) + inside.reduce((sum, count) => sum + count);
    if (separators > HL7_LIMITS.separators) return tooMany(segments, place, 'separators', 'message');
    const escapesHere = countIn(raw, escape, HL7_LIMITS.escapes);
    escapes += escapesHere;
    if (escapes > HL7_LIMITS.escapes) return tooMany(segments, place, 'escapes', 'message');
    if (escapesHere > HL7_LIMITS.textEscapes && escapesOfTexts(raw, delimiters) > HL7_LIMITS.textEscapes)
      return tooMany(segments, place, 'textEscapes', 'segment');
  }
  return null;
}

function excessOfParts(
  segments: readonly string[],
  place: number,
  { field, component, repetition, subcomponent }: Delimiters,
): Hl7Problem | null {
  const raw = segments[place]!;
  // MSH-1 is the separator itself.
  const first = raw.startsWith('MSH') ? 1 : 0;
  for (const [index, value] of raw.split(field, HL7_LIMITS.separators).entries()) {
    // MSH-2 holds the separators themselves.
    if (index === 0 || (first === 1 && index === 1)) continue;
    const position = index + first;
    if (countIn(value, repetition, HL7_LIMITS.repetitions) >= HL7_LIMITS.repetitions)
      return tooMany(segments, place, 'repetitions', 'field', { field: position });
    for (const [at, one] of value.split(repetition).entries()) {
      if (countIn(one, component, HL7_LIMITS.components) >= HL7_LIMITS.components)
        return tooMany(segments, place, 'components', 'repetition', { field: position, repetition: at + 1 });
      const crowded = one
        .split(component)
        .findIndex((part) => countIn(part, subcomponent, HL7_LIMITS.subcomponents) >= HL7_LIMITS.subcomponents);
      if (crowded !== -1)
        return tooMany(segments, place, 'subcomponents', 'component', {
          field: position,
          repetition: at + 1,
          component: crowded + 1,
        });
    }
  }
  return null;
}

const WORDS = {
  segments: 'segments',
  separators: 'separators',
  escapes: 'escape characters',
  textEscapes: 'escape characters outside of its files',
  repetitions: 'repetitions',
  components: 'components',
  subcomponents: 'subcomponents',
} as const;

function tooMany(
  segments: readonly string[],
  place: number,
  what: keyof typeof WORDS,
  of: string,
  where: { field?: number; repetition?: number; component?: number } = {},
): Hl7Problem {
  const segment = segments[place]!.slice(0, 3);
  const sequence = segments.slice(0, place + 1).filter((raw) => raw.startsWith(segment)).length;
  return refused(
    'message.too_long',
    { segment, sequence, ...where },
    `A ${of} has at most ${inWords(HL7_LIMITS[what])} ${WORDS[what]}.`,
  );
}

/** Those of a segment, but for a file in OBX-5. */
function escapesOfTexts(raw: string, { field, escape }: Delimiters): number {
  const fields = raw.split(field, HL7_LIMITS.separators);
  const isFile = fields[0] === 'OBX' && fields[2]?.trim() === 'ED';
  return fields
    .filter((_, position) => !isFile || position !== 5)
    .reduce((sum, value) => sum + countIn(value, escape, HL7_LIMITS.textEscapes), 0);
}

/** Stops counting at one more than `most`. */
function countIn(raw: string, one: string, most: number): number {
  let count = 0;
  for (let at = raw.indexOf(one); at !== -1 && count <= most; at = raw.indexOf(one, at + 1)) count += 1;
  return count;
}

/** `1,000,000`, whatever the locale. */
function inWords(limit: number): string {
  return limit.toLocaleString('en-US');
}
