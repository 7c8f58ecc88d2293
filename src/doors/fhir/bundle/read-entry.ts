import { SuturaError } from '../../../core/errors/sutura-error.js';
import { criteriaIn } from '../interactions/choosing-criteria.js';
import { IF_NONE_EXIST } from '../interactions/criteria-match.js';
import type { PutRequest, ResourceChoice } from '../interactions/put-request.js';
import { notSupported } from '../interactions/interaction-check.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import type { BundleEntry, EntryMethod, EntryTarget } from './bundle-entry.js';
import type { ShapedBundle } from './bundle-shape.js';
import { atEntry, entryError } from './entry-fault.js';
import { readTarget } from './entry-target.js';

/** Methods that change a resource. */
const CHANGES: readonly EntryMethod[] = ['PUT', 'PATCH', 'DELETE'];

/** Reads the request of an entry. `fhir.bundle`, `fhir.type_not_supported`, `fhir.interaction_not_supported`, all naming the entry. */
export function readEntry(entry: ShapedBundle['entries'][number], index: number, base: string): BundleEntry {
  const { method, url, ifMatch, ifNoneMatch, ifModifiedSince, ifNoneExist } = entry.request as Readonly<
    Record<string, string | undefined>
  >;
  const target = readTarget(url!, base);
  if (target === null)
    throw url!.includes('$')
      ? atEntry(notSupported('Operations are not part of Bundles. Ask for them on their own.'), index)
      : wrongUrl(index);
  const read: BundleEntry = {
    index,
    fullUrl: (entry['fullUrl'] as string | undefined) ?? null,
    method: method as EntryMethod,
    target,
    conditions: {
      ifMatch,
      ifNoneMatch,
      ifModifiedSince,
      ifNoneExist:
        method === 'POST' && ifNoneExist !== undefined ? criteriaAt(ifNoneExist, target, base, index) : undefined,
    },
    resource: entry['resource'],
  };
  check(read);
  return read;
}

function criteriaAt(written: string, { type }: EntryTarget, base: string, index: number): string {
  try {
    return criteriaIn(written, type, base, IF_NONE_EXIST);
  } catch (thrown) {
    throw atEntry(thrown, index);
  }
}

/** `fhir.bundle` for the second entry that changes the same resource or creates by the same criteria. */
export function refuseRepeats(entries: readonly BundleEntry[]): void {
  const seen = new Set<string>();
  const fullUrls = new Set(entries.flatMap(({ fullUrl }) => fullUrl ?? []));
  for (const { index, method, target, conditions } of entries) {
    if (CHANGES.includes(method))
      claim(seen, `changes ${identityOf(target)}`, () =>
        entryError(index, 'invalid', '.request.url', 'Another entry changes the same resource.'),
      );
    const { ifNoneExist } = conditions;
    if (ifNoneExist === undefined) continue;
    claim(seen, `creates ${target.type}?${sorted(ifNoneExist)}`, () =>
      entryError(index, 'invalid', '.request.ifNoneExist', 'Another entry has the same criteria.'),
    );
    // Such criteria would match nothing, and so make another resource each time.
    if ([...new URLSearchParams(ifNoneExist).values()].some((value) => fullUrls.has(value))) {
      throw entryError(
        index,
        'invalid',
        '.request.ifNoneExist',
        'Criteria name no entry of the Bundle. Name an identifier instead, such as patient.identifier.',
      );
    }
  }
}

/** `Type/id` or `Type?criteria` of the target of a PUT or PATCH. */
export function identityOf(target: EntryTarget): string {
  return target.kind === 'type' ? `${target.type}?${sorted(target.query.toString())}` : `${target.type}/${target.id}`;
}

/** A PUT as the interactions take it. */
export function putRequestOf({ target, conditions, resource }: BundleEntry): PutRequest {
  return { type: target.type, target: choiceOf(target), body: resource, conditions };
}

/** The target of a PUT, PATCH or DELETE. */
export function choiceOf(target: EntryTarget): ResourceChoice {
  if (target.kind === 'instance') return { kind: 'id', id: target.id };
  if (target.kind === 'type') return { kind: 'criteria', criteria: target.query.toString() };
  throw new Error('Only a resource is changed.');
}

function claim(seen: Set<string>, name: string, refusal: () => SuturaError): void {
  if (seen.has(name)) throw refusal();
  seen.add(name);
}

function sorted(criteria: string): string {
  const parameters = new URLSearchParams(criteria);
  parameters.sort();
  return parameters.toString();
}

function check({ index, method, target, resource }: BundleEntry): void {
  if (rowOf(target.type) === undefined) throw atEntry(new SuturaError('fhir.type_not_supported'), index);
  switch (method) {
    case 'GET':
    case 'HEAD':
      return;
    case 'DELETE':
      if (!isChosen(target)) throw wrongUrl(index);
      return;
    case 'POST':
      if (target.kind !== 'type' || target.query.size > 0) throw wrongUrl(index);
      break;
    case 'PUT':
    case 'PATCH':
      if (!isChosen(target)) throw wrongUrl(index);
  }
  if (resource === undefined) throw entryError(index, 'required', '.resource', `A ${method} carries a resource.`);
}

/** True for a resource by its id, or by criteria. */
function isChosen(target: EntryTarget): boolean {
  return target.kind === 'instance' || (target.kind === 'type' && target.query.size > 0);
}

function wrongUrl(index: number): SuturaError {
  return entryError(
    index,
    'invalid',
    '.request.url',
    'The url of an entry is that of a type or a resource, such as Patient or Patient/[id], or a search.',
  );
}
