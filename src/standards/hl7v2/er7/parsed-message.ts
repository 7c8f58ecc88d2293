import type { Delimiters, Er7Field, Er7Message, Er7Repetition, Er7Segment, FieldState } from './er7-message.js';
import { unescapeText } from './escape-sequences.js';

const NULL_VALUE = '""';
const EMPTY_FIELD: Er7Field = { state: 'absent', raw: '', repetitions: [], text: '' };

/**
 * `lines` are the segments in order, without their ends; the first is MSH, whose delimiters are given. `first`: the
 * parsed MSH, where it is known already.
 */
export function parseSegments(
  lines: readonly string[],
  delimiters: Delimiters,
  encoding: string,
  first?: Er7Segment,
): Er7Message {
  const unescape = (raw: string) => unescapeText(raw, delimiters, encoding);
  const counts = new Map<string, number>();
  const segments = lines.map((raw, place) => {
    const name = raw.slice(0, 3);
    const sequence = (counts.get(name) ?? 0) + 1;
    counts.set(name, sequence);
    return place === 0 && first !== undefined
      ? first
      : new ParsedSegment(name, sequence, place, raw, { delimiters, unescape });
  });
  return new ParsedMessage(delimiters, segments, unescape);
}

interface Reading {
  readonly delimiters: Delimiters;
  readonly unescape: (raw: string) => string;
}

class ParsedMessage implements Er7Message {
  constructor(
    readonly delimiters: Delimiters,
    readonly segments: readonly Er7Segment[],
    readonly unescape: (raw: string) => string,
  ) {}

  segment(name: string): Er7Segment | null {
    return this.segments.find((segment) => segment.name === name) ?? null;
  }

  all(name: string): readonly Er7Segment[] {
    return this.segments.filter((segment) => segment.name === name);
  }
}

class ParsedSegment implements Er7Segment {
  private readonly fields = new Map<number, Er7Field>();
  private rawFields: readonly string[] | null = null;

  constructor(
    readonly name: string,
    readonly sequence: number,
    readonly place: number,
    readonly raw: string,
    private readonly reading: Reading,
  ) {}

  field(position: number): Er7Field {
    let field = this.fields.get(position);
    if (field === undefined) {
      field = this.read(position);
      this.fields.set(position, field);
    }
    return field;
  }

  private read(position: number): Er7Field {
    const { delimiters, unescape } = this.reading;
    if (position < 1) return EMPTY_FIELD;
    if (this.name === 'MSH' && position === 1) return delimiterField(delimiters.field);
    this.rawFields ??= this.raw.split(delimiters.field);
    const raw = this.rawFields[this.name === 'MSH' ? position - 1 : position] ?? '';
    if (this.name === 'MSH' && position === 2) return delimiterField(raw);
    const state = stateOf(raw, delimiters);
    if (state !== 'valued') return raw === '' ? EMPTY_FIELD : { ...EMPTY_FIELD, state, raw };
    if (!hasParts(raw, delimiters)) return plainField(raw, unescape);
    const repetitions = raw.split(delimiters.repetition).map((one) => new ParsedRepetition(one, this.reading));
    return { state, raw, repetitions, text: repetitions[0]?.text(1) ?? '' };
  }
}

function hasParts(raw: string, { component, repetition, subcomponent }: Delimiters): boolean {
  return raw.includes(component) || raw.includes(repetition) || raw.includes(subcomponent);
}

/** The common case of a field with a single text. */
function plainField(raw: string, unescape: Reading['unescape']): Er7Field {
  return new PlainField(raw, unescape(raw));
}

class PlainField implements Er7Field {
  readonly state = 'valued';

  constructor(
    readonly raw: string,
    readonly text: string,
  ) {}

  get repetitions(): readonly Er7Repetition[] {
    return [
      {
        raw: this.raw,
        componentCount: 1,
        text: (component, subcomponent = 1) => (component === 1 && subcomponent === 1 ? this.text : ''),
      },
    ];
  }
}

function delimiterField(raw: string): Er7Field {
  return {
    state: 'valued',
    raw,
    repetitions: [{ raw, componentCount: 1, text: (component) => (component === 1 ? raw : '') }],
    text: raw,
  };
}

function stateOf(raw: string, { component, repetition, subcomponent }: Delimiters): FieldState {
  if (raw === NULL_VALUE) return 'null';
  for (const character of raw)
    if (character !== component && character !== repetition && character !== subcomponent) return 'valued';
  return 'absent';
}

class ParsedRepetition implements Er7Repetition {
  private components: readonly string[] | null = null;

  constructor(
    readonly raw: string,
    private readonly reading: Reading,
  ) {}

  get componentCount(): number {
    const components = this.split();
    let count = components.length;
    while (count > 0 && components[count - 1] === '') count -= 1;
    return count;
  }

  text(component: number, subcomponent?: number): string {
    const { delimiters, unescape } = this.reading;
    const found = this.split()[component - 1] ?? '';
    return unescape(
      subcomponent === undefined ? found : (found.split(delimiters.subcomponent)[subcomponent - 1] ?? ''),
    );
  }

  private split(): readonly string[] {
    this.components ??= this.raw.split(this.reading.delimiters.component);
    return this.components;
  }
}
