import type { Bundle, BundleEntry, Identifier, Patient, Reference, Resource } from '@medplum/fhirtypes';
import { identifyingNumbers } from '../../../core/patients/patient-numbers.js';
import { isPatientPut, type HeldTransaction } from '../bundle/held-bundles.js';

const NEW_PATIENT = 'urn:uuid:00000000-0000-4000-9000-';
const DIGITS = 12;
const OF_PATIENT = 'Patient?identifier=';

/** What referred to the record, and what refers to the other one from now on. */
interface Moves {
  /** Absolute references to this server begin with it. */
  readonly base: string;
  /** `Patient/id` or criteria → fullUrl. */
  readonly references: Map<string, string>;
  /** `system|value` of the record's numbers → fullUrl. */
  readonly numbers: Map<string, string>;
  readonly authority: string;
}

/**
 * The same transaction about somebody else: the Patient that it puts to the record gets its numbers in the authority, is the record of these
 * numbers, made where there is none, and all that referred to the record refers to it, by id, address or number. `record`: `Patient/id`, as the
 * service knows it; `at`: the place of the entry that puts it, else the one that is known by its id; without a place that one, or all; `base`: the address of this server's
 * FHIR.
 */
export function asAnother(
  bundle: Bundle,
  asked: {
    readonly record: string;
    readonly authority: string;
    readonly base: string;
    readonly at?: number | undefined;
  },
): Bundle {
  const { record, authority, base } = asked;
  const moves: Moves = { base, references: new Map(), numbers: new Map(), authority };
  const places = placesIn(bundle, asked);
  const entries = (bundle.entry ?? []).map((entry, at) => {
    if (!places.includes(at)) return entry;
    const { fullUrl = `${NEW_PATIENT}${String(at + 1).padStart(DIGITS, '0')}` } = entry;
    const patient = entry.resource as Patient;
    moves.references.set(localOf(entry.request!.url, base), fullUrl).set(record, fullUrl);
    for (const number of identifyingNumbers(patient.identifier ?? [])) moves.numbers.set(nameOf(number), fullUrl);
    return { fullUrl, ...renumbered(patient, authority) };
  });
  return { ...bundle, entry: entries.map((entry) => redirected(entry, moves)) };
}

/** The same transaction with the record put as these PATCHes of it made it, by their place: to another one nothing can be patched. */
export function withMade(bundle: Bundle, made: HeldTransaction['made'] = {}): Bundle {
  const entry = (bundle.entry ?? []).map((one, at): BundleEntry => {
    const resource = made[at];
    if (resource === undefined) return one;
    const { fullUrl, request } = one;
    return {
      ...(fullUrl === undefined ? {} : { fullUrl }),
      resource,
      request: { method: 'PUT', url: request!.url },
    };
  });
  return { ...bundle, entry };
}

function placesIn(
  { entry = [] }: Bundle,
  { record, base, at }: { readonly record: string; readonly base: string; readonly at?: number | undefined },
): readonly number[] {
  const put = entry.flatMap((one, place) => (isPatientPut(one) ? [place] : []));
  if (at !== undefined && put.includes(at)) return [at];
  const named = put.filter((place) => localOf(entry[place]!.request!.url, base) === record);
  // Whose entry is known and cannot be put is nobody else's: no other Patient of the transaction becomes this person instead.
  return named.length === 0 && at === undefined ? put : named;
}

function renumbered(patient: Patient, authority: string): Pick<BundleEntry, 'resource' | 'request'> {
  const known = identifyingNumbers(patient.identifier ?? []);
  const identifier = (patient.identifier ?? []).map((one) =>
    known.includes(one) ? { ...one, system: authority } : one,
  );
  const { id: _id, meta: _meta, ...content } = patient;
  const value = known[0]?.value ?? '';
  return {
    resource: { ...content, identifier } as Resource,
    request: {
      method: 'PUT',
      url: `${OF_PATIENT}${encodeURIComponent(`${escaped(authority)}|${escaped(value)}`)}`,
    },
  };
}

/** References to a patient that was put lead to the other one. */
function redirected<T>(value: T, moves: Moves): T {
  if (Array.isArray(value)) return value.map((one: unknown) => redirected(one, moves)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const moved = movedBy(value as Reference, moves);
  if (moved !== null) return moved as T;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, redirected(held, moves)])) as T;
}

/** The reference to the other one; null: it is none to the record. */
function movedBy(value: Reference, { base, references, numbers, authority }: Moves): Reference | null {
  const { reference, identifier, type = 'Patient' } = value;
  const named =
    typeof reference === 'string'
      ? (references.get(localOf(reference, base)) ?? numbers.get(numberIn(reference, base)))
      : isNumber(identifier) && type === 'Patient'
        ? numbers.get(nameOf(identifier))
        : undefined;
  if (named === undefined) return null;
  return {
    ...value,
    reference: named,
    ...(isNumber(identifier) ? { identifier: { ...identifier, system: authority } } : {}),
  };
}

/** Below this server's base, and without the version. */
function localOf(reference: string, base: string): string {
  const root = [`${base}/R4/`, `${base}/`, '/'].find((one) => reference.startsWith(one)) ?? '';
  return reference.slice(root.length).replace(/\/_history\/.*$/, '');
}

/** The `system|value` of criteria that name a patient; '': it is none. */
function numberIn(reference: string, base: string): string {
  const local = localOf(reference, base);
  if (!local.startsWith(OF_PATIENT)) return '';
  try {
    return decodeURIComponent(local.slice(OF_PATIENT.length)).replaceAll(/\\([\\,|$])/g, '$1');
  } catch {
    return '';
  }
}

function isNumber(identifier: unknown): identifier is Identifier {
  return typeof identifier === 'object' && identifier !== null && !Array.isArray(identifier);
}

function nameOf({ system = '', value = '' }: Identifier): string {
  return `${system}|${value}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\,|$]/g, (character) => `\\${character}`);
}
