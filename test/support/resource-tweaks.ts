import { mutateBundle, type Dice } from './mutations.js';

type Json = Record<string, unknown>;

const EXTENDED: readonly unknown[] = [
  { extension: [{ url: 'urn:x', valueString: 'y' }] },
  { id: 'a' },
  {},
  [null, { id: 'x' }],
  [{ id: 'x' }],
  'x',
  { extension: [] },
  { extension: [{ url: 'urn:x' }] },
  { id: 'a', value: 'x' },
];
const EXTENSIONS: readonly unknown[] = [
  [{ url: 'urn:x', valueString: 'y' }],
  [{ url: 'urn:x' }],
  [{ url: 'urn:x', valueString: 'y', extension: [{ url: 'a', valueCode: 'b' }] }],
  [{ valueString: 'x' }],
  [{ url: 'u', valueString: 'x', valueCode: 'x' }],
  [{ url: 'u', _valueString: { id: 'x' } }],
  [{ url: 'urn:x', valueReference: { reference: 'Foo/1' } }],
  [{ url: 'u', valueBase64Binary: 'AAAA' }],
  { url: 'u' },
];
const CHOICES = ['value', 'effective', 'onset', 'multipleBirth', 'deceased', 'abatement', 'occurrence', '_value'];
const CHOICE_TYPES = [
  'String',
  'Integer',
  'Quantity',
  'Boolean',
  'CodeableConcept',
  'DateTime',
  'Reference',
  'Foo',
  'Period',
  'Range',
  'Ratio',
  'Age',
  'Base64Binary',
  'Meta',
  'Dosage',
  'Timing',
];
const CHOICE_VALUES: readonly unknown[] = [
  'x',
  1,
  true,
  { text: 'x' },
  { value: 1 },
  '2026',
  { reference: 'Patient/1' },
  { start: '2026' },
  { low: { value: 1 } },
];
const TEXTS = [
  '',
  '  ',
  ' x',
  'x ',
  'x  y',
  'a\tb',
  '\u0001',
  '\u00a0',
  'ä',
  '\ud800',
  '*',
  'final',
  'male',
  'x/y',
  'AAAA',
  'AAA',
  'AA A',
  'QQ==',
  '====',
  'urn:oid:1.02',
  'urn:uuid:x',
  '2026-02-30',
  '2026-02',
  '1900',
  '0000',
  '2024-02-29T24:00:00Z',
  '2026-03-15T09:40:00',
  '10:60:00',
  'Patient/1',
  'Foo/1',
  'Patient/',
  'Patient/", expected "http://hl7.org/fhir/StructureDefinition/Patient',
  'http://x/Patient/1',
  'https://x/Device/1',
  '#',
  '#p',
  'Patient?x',
];
const NUMBERS = [0, -1, 1, 1.5, 2_147_483_648, -2_147_483_649, 1e308, 1e-9];
const VALUES: readonly unknown[] = [
  null,
  '',
  {},
  [],
  [null],
  0,
  true,
  'x',
  { resourceType: 'Patient' },
  [[]],
  { id: 'x' },
  { extension: [{ url: 'x', valueString: 'y' }] },
];
const TYPES: readonly unknown[] = ['Patient', 'Foo', 'Resource', 'DomainResource', 'Quantity', 'Specimen', 1];
const GRAFT_CHARACTERS = 4000;

/** Small changes to resources, of which some leave them valid: elements of others put into them, texts and numbers at their limits. */
export class ResourceTweaks {
  private readonly values = new Map<string, unknown[]>();
  private readonly small: readonly Json[];

  constructor(
    private readonly samples: readonly Json[],
    private readonly dice: Dice,
  ) {
    for (const holder of samples.flatMap(objectsIn))
      for (const [key, value] of Object.entries(holder)) this.values.set(key, [...(this.values.get(key) ?? []), value]);
    this.small = samples.filter((sample) => JSON.stringify(sample).length < GRAFT_CHARACTERS);
  }

  /** A sample with one or two changes. */
  next(): Json {
    const sample = structuredClone(this.dice.pick(this.samples));
    if (this.dice.below(4) === 0) return mutateBundle(sample, this.dice);
    for (let count = 1 + this.dice.below(2); count > 0; count -= 1) this.change(sample);
    return sample;
  }

  private change(sample: Json): void {
    const { dice } = this;
    const holder = dice.pick(objectsIn(sample));
    const key = Object.keys(holder).length > 0 ? dice.pick(Object.keys(holder)) : 'x';
    const changes: readonly (() => void)[] = [
      () => this.graft(holder, dice.pick([...this.values.keys()])),
      () => this.graft(holder, key),
      () => put(holder, `_${key}`, dice.pick(EXTENDED)),
      () => (put(holder, `_${key}`, EXTENDED[0]), delete holder[key]),
      () => delete holder[key],
      () => put(holder, `${dice.pick(CHOICES)}${dice.pick(CHOICE_TYPES)}`, dice.pick(CHOICE_VALUES)),
      () => put(holder, key, typeof holder[key] === 'string' ? dice.pick(TEXTS) : [holder[key]]),
      () => put(holder, key, this.nudged(holder[key])),
      () => put(holder, key, dice.pick(VALUES)),
      () => this.lengthen(holder, key),
      () => this.contain(dice.pick([sample, holder])),
      () => put(holder, 'extension', dice.pick(EXTENSIONS)),
    ];
    dice.pick(changes)();
  }

  private graft(holder: Json, key: string): void {
    const values = this.values.get(key);
    if (values !== undefined) put(holder, key, this.dice.pick(values));
  }

  private nudged(value: unknown): unknown {
    if (typeof value === 'number') return this.dice.pick(NUMBERS);
    if (typeof value !== 'string') return value;
    return this.dice.pick([`${value} `, ` ${value}`, `${value}\n`, value.toUpperCase(), `${value}x`, value.slice(1)]);
  }

  private lengthen(holder: Json, key: string): void {
    const list = holder[key];
    if (!Array.isArray(list)) put(holder, 'resourceType', this.dice.pick(TYPES));
    else if (this.dice.below(2) === 0) list.push(structuredClone(list[0]));
    else list.pop();
  }

  private contain(holder: Json): void {
    const before = Array.isArray(holder['contained']) ? (holder['contained'] as unknown[]) : [];
    put(holder, 'contained', [...before, this.dice.pick(this.small)]);
  }
}

function put(holder: Json, key: string, value: unknown): void {
  holder[key] = structuredClone(value);
}

function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? within : [value as Json, ...within];
}
