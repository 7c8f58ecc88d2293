import type { Dice } from '../../support/mutations.js';

type Json = Record<string, unknown>;

/** An object within a resource, and one of its members. */
interface Place {
  readonly holder: Json;
  readonly key: string;
}

/** A change of a resource, which may leave it valid; its name tells what was done. */
type Change = (resource: Json, dice: Dice) => string | null;

const OTHER_TYPES: readonly unknown[] = ['text', 7, 1.5, true, { text: 'x' }, ['text'], [{ text: 'x' }]];
const OBJECTS: readonly unknown[] = [{ id: 'only' }, {}, { unknown: 'x' }, { extension: [] }];
const TEXTS = [
  '2026-02-30',
  '2026-13',
  'a b',
  ' x',
  'urn:oid:1.02',
  'urn:uuid:x',
  'A_B',
  '2026-01-01T10:00:00',
  'x'.repeat(70),
  'http://example.org/x',
];

const CHANGES: readonly Change[] = [
  (resource, dice) =>
    at(resource, dice, ({ holder, key }) => {
      delete holder[key];
      return 'removed';
    }),
  (resource, dice) =>
    at(resource, dice, ({ holder, key }) => {
      const value = holder[key];
      holder[key] = Array.isArray(value) ? [...(value as unknown[]), ...(value as unknown[])] : [value, value];
      return 'doubled';
    }),
  (resource, dice) =>
    at(resource, dice, ({ holder, key }) => {
      holder[key] = structuredClone(dice.pick(OTHER_TYPES));
      return 'of another type';
    }),
  (resource, dice) =>
    at(
      resource,
      dice,
      ({ holder, key }) => {
        holder[key] = typeof holder[key] === 'object' ? structuredClone(dice.pick(OBJECTS)) : dice.pick(TEXTS);
        return 'of another form';
      },
      ({ holder, key }) => typeof holder[key] === 'string' || isObject(holder[key]),
    ),
  (resource, dice) =>
    at(
      resource,
      dice,
      ({ holder, key }) => {
        holder[key] = 'nonsense';
        return 'out of its value set';
      },
      ({ holder, key }) =>
        [
          'status',
          'intent',
          'use',
          'gender',
          'type',
          'kind',
          'comparator',
          'mode',
          'severity',
          'content',
          'language',
        ].includes(key) && typeof holder[key] === 'string',
    ),
  (resource, dice) => dice.pick(INVARIANTS)(resource, dice),
  (resource, dice) => dice.pick(INVARIANTS)(resource, dice),
];

/** What breaks one invariant each, where a resource has such an element. */
const INVARIANTS: readonly Change[] = [
  (resource, dice) =>
    member(
      resource,
      dice,
      (value) => 'start' in value || 'end' in value,
      (value) => Object.assign(value, { start: '2026-03-02', end: '2026-03-01' }),
      'per-1',
    ),
  (resource, dice) =>
    member(
      resource,
      dice,
      (value) => 'low' in value && 'high' in value,
      (value) => ([value['low'], value['high']] = [value['high'], value['low']]),
      'rng-2',
    ),
  (resource, dice) =>
    member(
      resource,
      dice,
      (value) => 'contentType' in value && 'data' in value,
      (value) => delete value['contentType'],
      'att-1',
    ),
  (resource, dice) =>
    member(
      resource,
      dice,
      (value) => 'unit' in value && 'system' in value,
      (value) => delete value['system'],
      'qty-3',
    ),
  (resource, dice) =>
    member(
      resource,
      dice,
      (value) => 'value' in value && 'use' in value && 'system' in value,
      (value) => delete value['system'],
      'cpt-2',
    ),
  (resource, dice) =>
    member(
      resource,
      dice,
      (value) => typeof value['reference'] === 'string',
      (value) => (value['reference'] = '#nope'),
      'ref-1',
    ),
  (resource, dice) =>
    member(
      resource,
      dice,
      (value) => 'url' in value && Object.keys(value).some((key) => key.startsWith('value')),
      (value) => (value['extension'] = [{ url: 'a', valueString: 'b' }]),
      'ext-1',
    ),
  (resource, dice) =>
    member(
      resource,
      dice,
      (value) => 'div' in value && 'status' in value,
      (value) =>
        (value['div'] = dice.pick([
          '<div>x</div>',
          '<div xmlns="http://www.w3.org/1999/xhtml"> </div>',
          '<div xmlns="http://www.w3.org/1999/xhtml"><form>x</form></div>',
        ])),
      'txt-1',
    ),
  (resource) => add(resource, 'contained', [{ resourceType: 'Practitioner', id: 'nobody' }], 'dom-3'),
  (resource) => add(resource, 'contained', [{ resourceType: 'Practitioner', active: true }], 'contained without an id'),
  (resource) => add(resource, 'extension', [{ url: 'relative', valueString: 'x' }], 'an extension with a relative url'),
  (resource) =>
    add(
      resource,
      'meta',
      { tag: [{ id: 'same' }, { id: 'same', code: 'x', system: 'http://example.org/x' }] },
      'ele-1 and ids',
    ),
  (resource) => add(resource, 'dataAbsentReason', { text: 'x' }, 'obs-6'),
  (resource) => add(resource, 'id', 'not_an_id', 'id'),
];

/** A resource with one or two changes, and what they were. */
export function breakResource(resource: Json, dice: Dice): { readonly resource: Json; readonly how: string } {
  const changed = structuredClone(resource);
  const done: string[] = [];
  for (let tries = 0; done.length === 0 || (tries < 12 && dice.below(4) === 0); tries += 1) {
    const how = dice.pick(CHANGES)(changed, dice);
    if (how !== null) done.push(how);
  }
  return { resource: changed, how: done.join(', ') };
}

function at(
  resource: Json,
  dice: Dice,
  change: (place: Place) => string,
  fits: (place: Place) => boolean = () => true,
): string | null {
  const places = objectsIn(resource)
    .flatMap((holder) => Object.keys(holder).map((key) => ({ holder, key })))
    .filter((place) => place.key !== 'resourceType' && fits(place));
  if (places.length === 0) return null;
  const place = dice.pick(places);
  return `${place.key} ${change(place)}`;
}

function member(
  resource: Json,
  dice: Dice,
  fits: (value: Json) => boolean,
  change: (value: Json) => unknown,
  name: string,
): string | null {
  const fitting = objectsIn(resource).filter(fits);
  if (fitting.length === 0) return null;
  change(dice.pick(fitting));
  return name;
}

function add(resource: Json, key: string, value: unknown, name: string): string {
  resource[key] = value;
  return name;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? within : [value as Json, ...within];
}
