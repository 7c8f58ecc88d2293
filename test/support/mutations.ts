/** Seeded choices: the same seed mutates the same way, so that a failing round can be run again. */
export class Dice {
  constructor(private state: number) {}

  /** 0 to limit − 1 (Mulberry32). */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}

type Holder = Record<string, unknown> | unknown[];

/** A place in a JSON value: the object or list, and the key or index in it. */
interface Place {
  readonly holder: Holder;
  readonly key: string;
}

const NASTY: readonly unknown[] = [
  null,
  '',
  ' ',
  0,
  -1,
  1e308,
  1.5,
  true,
  [],
  {},
  [[]],
  [null],
  { extension: [] },
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u{1F600}',
  '\u202e',
  'x'.repeat(10_000),
  '../../etc/passwd',
  "' or 1=1 --",
  '%00',
  '<script>',
  '${jndi}',
  '__proto__',
  'constructor',
  'urn:uuid:nobody',
  'urn:oid:1.2.3',
  'Patient/1',
  'Patient?identifier=a|b',
  'Nothing/1',
  '#x',
  'https://elsewhere.test/fhir/Patient/1',
  'http://169.254.169.254/latest',
  'file:///etc/passwd',
  '2026-02-30',
  '0000-00-00',
  '2026-13-01T99:00:00Z',
  '9999-12-31T23:59:59+14:00',
  '2026-03-15T09:40:00',
  'W/"999999999999999999999"',
  'W/',
  '99999999999999999999',
  { resourceType: 'Patient' },
  { resourceType: 'Bundle', type: 'batch' },
  { reference: 'Patient/1' },
  { coding: [{ code: 'x' }] },
  nested(90),
  nested(300),
];
const NAMES = [
  'id',
  'meta',
  'resourceType',
  'url',
  'extension',
  'contained',
  'identifier',
  'reference',
  'value',
  'toString',
  'hasOwnProperty',
  'valueQuantity',
  '_status',
  'subject',
  'x',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 5];
const URLS = [
  'Patient',
  'Patient/1',
  'Patient?identifier=urn:oid:1.2.3.4.5.6|MRN-778812',
  'Media/1/$analyze',
  'Task',
  'Binary',
  'Observation?code=x&_sort=-date',
  'Patient/1/_history',
  'metadata',
  '',
  '/',
  '?',
  'DiagnosticReport',
  'Patient?_count=-1',
  'Patient?birthdate=gt2026-99',
  'StructureDefinition/sutura-wound',
  'Patient?name=\u0000',
];
const CRITERIA = [
  '',
  '?',
  'identifier=',
  'identifier=a|b',
  '_id=x',
  'name=\u0000',
  'birthdate=zz',
  'patient.identifier=a|b',
  'identifier=a|b&patient.identifier=a|b',
  '_sort=x',
  'a'.repeat(5000),
  '%',
  '%00',
  '_has:Observation:patient:code=1',
  'x:y:z=1',
];

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = { extension: [value] };
  return value;
}

/** A copy of a Bundle with 1 to 4 things about it changed: values, names, lists, requests. */
export function mutateBundle<T>(bundle: T, dice: Dice): T {
  const copy = structuredClone(bundle);
  for (let count = 1 + dice.below(4); count > 0; count -= 1) mutateOnce(copy, dice);
  return copy;
}

/** The text of a Bundle, one in eight times cut or with a byte changed. */
export function mutateText(text: string, dice: Dice): Buffer {
  const bytes = Buffer.from(text);
  if (dice.below(8) !== 0) return bytes;
  const at = dice.below(bytes.length);
  if (dice.below(2) === 0) return bytes.subarray(0, at);
  bytes[at] = dice.below(256);
  return bytes;
}

function mutateOnce(value: unknown, dice: Dice): void {
  const places = placesIn(value);
  const requests = places
    .filter(({ key, holder }) => key === 'method' && !Array.isArray(holder))
    .map(({ holder }) => holder as Record<string, unknown>);
  if (requests.length > 0 && dice.below(4) === 0) return mutateRequest(dice.pick(requests), dice);
  if (places.length === 0) return;
  const { holder, key } = dice.pick(places);
  const other = dice.pick(places);
  const held = holder as Record<string, unknown>;
  switch (dice.below(8)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete held[key];
      return;
    case 1:
      if (Array.isArray(holder)) holder.push(structuredClone(held[key]));
      else held[dice.pick(NAMES)] = structuredClone(held[key]);
      return;
    case 2:
      held[key] = structuredClone((other.holder as Record<string, unknown>)[other.key]);
      return;
    case 3:
      held[key] = [held[key]];
      return;
    case 4:
      if (typeof held[key] === 'string') held[key] = spoiled(held[key], dice);
      return;
    default:
      held[key] = structuredClone(dice.pick(NASTY));
  }
}

function mutateRequest(request: Record<string, unknown>, dice: Dice): void {
  switch (dice.below(5)) {
    case 0:
      request['method'] = dice.pick(METHODS);
      return;
    case 1:
      request['url'] = dice.pick(URLS);
      return;
    case 2:
      request[dice.pick(['ifMatch', 'ifNoneMatch', 'ifModifiedSince'])] = dice.pick([
        'W/"1"',
        '*',
        'W/"x"',
        '',
        '2026-03-15T09:40:00Z',
        'nonsense',
      ]);
      return;
    default:
      request['ifNoneExist'] = dice.pick(CRITERIA);
  }
}

function spoiled(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1);
  return `${text.slice(0, at)}${dice.pick(['\u0000', 'é', '"', '\\', '|', ',', '$', '%', '', ' ', '\ud800', 'x'.repeat(300)])}${text.slice(at + dice.below(3))}`;
}

/** Every place of a JSON value but those within its longest texts, which are the bytes of photos. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [
    { holder: value as Holder, key },
    ...placesIn((value as Record<string, unknown>)[key]),
  ]);
}
