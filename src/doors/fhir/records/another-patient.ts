import type { Bundle, BundleEntry, Patient, Resource } from '@medplum/fhirtypes';
import { identifyingNumbers } from '../../../core/patients/patient-numbers.js';
import { isPatientPut, type HeldTransaction } from '../bundle/held-bundles.js';

const NEW_PATIENT = 'urn:uuid:00000000-0000-4000-9000-';
const DIGITS = 12;

/**
 * The same transaction about somebody else: each Patient that it puts to the record gets its numbers in the authority, is the record of these
 * numbers, made where there is none, and all that referred to the record refers to it. `record`: `Patient/id`, as the service knows it.
 */
export function asAnother(bundle: Bundle, record: string, authority: string): Bundle {
  const moved = new Map<string, string>();
  const entries = (bundle.entry ?? []).map((entry, at) => {
    if (!isPatientPut(entry)) return entry;
    const { fullUrl = `${NEW_PATIENT}${String(at + 1).padStart(DIGITS, '0')}` } = entry;
    moved.set(entry.request!.url, fullUrl);
    moved.set(record, fullUrl);
    return { fullUrl, ...renumbered(entry.resource as Patient, authority) };
  });
  return { ...bundle, entry: entries.map((entry) => redirected(entry, moved)) };
}

/** The same transaction with the record put as these PATCHes of it made it, by their place: to another one nothing can be patched. */
export function withMade(bundle: Bundle, record: string, made: HeldTransaction['made'] = {}): Bundle {
  const entry = (bundle.entry ?? []).map((one, at): BundleEntry => {
    const resource = made[at];
    if (resource === undefined) return one;
    const { fullUrl } = one;
    return { ...(fullUrl === undefined ? {} : { fullUrl }), resource, request: { method: 'PUT', url: record } };
  });
  return { ...bundle, entry };
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
      url: `Patient?identifier=${encodeURIComponent(`${escaped(authority)}|${escaped(value)}`)}`,
    },
  };
}

/** References to a patient that was put lead to the other one. */
function redirected<T>(value: T, moved: ReadonlyMap<string, string>): T {
  if (Array.isArray(value)) return value.map((one: unknown) => redirected(one, moved)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]: [string, unknown]) => [
      name,
      name === 'reference' && typeof held === 'string' ? (moved.get(held) ?? held) : redirected(held, moved),
    ]),
  ) as T;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\,|$]/g, (character) => `\\${character}`);
}
