import type { Preferences } from '../call/preferences.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { ENTRY_METHODS } from './bundle-entry.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import { error, type ResourceIssue } from '../../../standards/fhir/validation/resource-issue.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import type { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';

/** A Bundle that was posted to the base, as it came in: JSON, and nothing of it checked. */
export interface BundleRequest {
  /** Absolute, as the client addressed it: `https://…/fhir`. */
  readonly base: string;
  readonly requestId: string;
  readonly body: unknown;
  readonly preferences: Preferences;
  /** The key of `Idempotency-Key`, unquoted; null without one. */
  readonly idempotencyKey: string | null;
}

/** Standards 3.4. */
const ENTRY_LIMIT = 500;
const PLAIN_BUNDLE = new Set(['resourceType', 'type', 'entry']);
const PLAIN_ENTRY = new Set(['fullUrl', 'resource', 'request']);
const PLAIN_REQUEST = new Set(['method', 'url', 'ifMatch', 'ifNoneMatch', 'ifNoneExist']);
const METHODS: readonly unknown[] = ENTRY_METHODS;
/** A uri of R4; a fullUrl names no version (bdl-8). */
const FULL_URL = /^(?!.*\/_history\/)\S+$/;
/** Entries checked at a time, with a turn of the event loop in between. */
const CHECKED_AT_ONCE = 50;

type BundleKind = 'transaction' | 'batch';
type Held = Readonly<Record<string, unknown>>;

/** A Bundle whose own elements are valid; of the resources in its entries nothing is known yet. */
export interface ShapedBundle {
  readonly kind: BundleKind;
  readonly entries: readonly (Held & { readonly request: Held })[];
}

/** `fhir.bundle`, `fhir.structure`, and `request.too_large` for too many entries or Bundles within Bundles within this one. */
export async function readShape(
  { organizationId }: Tenant,
  body: unknown,
  validator: ResourceValidator,
): Promise<ShapedBundle> {
  const bundle = isObject(body) ? body : {};
  if (bundle['resourceType'] !== 'Bundle')
    throw refused('invalid', 'Bundle', 'The body is a JSON object with the resourceType "Bundle".');
  const kind = bundle['type'];
  if (kind !== 'transaction' && kind !== 'batch')
    throw refused(
      kind === undefined ? 'required' : 'not-supported',
      'Bundle.type',
      'Only Bundles of type transaction or batch are processed.',
    );
  const entries = list(bundle['entry']);
  if ('entry' in bundle && entries.length === 0)
    throw refused('structure', 'Bundle.entry', 'A list of entries is expected here; leave out one that is empty.');
  if (entries.length > ENTRY_LIMIT)
    throw new SuturaError('request.too_large', {
      detail: `A Bundle has at most ${ENTRY_LIMIT} entries. Send several.`,
    });
  refuseNested(entries);
  refuseIncomplete(entries);
  await checkElements(organizationId, bundle, entries, validator);
  return { kind, entries: entries as ShapedBundle['entries'] };
}

/** No entry takes a Bundle, so Bundles nested two levels deep are not looked into. */
function refuseNested(entries: readonly unknown[]): void {
  const nested = entries.map((entry) => bundleWithin(entry));
  if (nested.some((inner) => inner !== null && list(inner['entry']).some((entry) => bundleWithin(entry) !== null))) {
    throw new SuturaError('request.too_large', { detail: 'Bundles are nested too deeply. Send each on its own.' });
  }
  const index = nested.findIndex((inner) => inner !== null);
  if (index !== -1)
    throw refused(
      'not-supported',
      `Bundle.entry[${index}].resource`,
      'A Bundle within a Bundle is not processed. Send it on its own.',
    );
}

/** R4's own rules (bdl-3, bdl-7) find this too, but do not say where. */
function refuseIncomplete(entries: readonly unknown[]): void {
  const seen = new Set<unknown>();
  entries.forEach((entry, index) => {
    const place = `Bundle.entry[${index}]`;
    if (!isObject(entry)) throw refused('structure', place, 'An entry is a JSON object.');
    if (!isObject(entry['request'])) throw refused('required', `${place}.request`, 'Each entry has a request.');
    const fullUrl =
      typeof entry['fullUrl'] === 'string'
        ? entry['fullUrl'].replace(/^urn:uuid:.*$/i, (urn) => urn.toLowerCase())
        : undefined;
    if (fullUrl !== undefined && seen.has(fullUrl))
      throw refused('invalid', `${place}.fullUrl`, 'Another entry has the same fullUrl.');
    seen.add(fullUrl);
  });
}

function bundleWithin(entry: unknown): Held | null {
  const resource = isObject(entry) ? entry['resource'] : undefined;
  return isObject(resource) && resource['resourceType'] === 'Bundle' ? resource : null;
}

/**
 * The Bundle without its resources against R4, so that what the entries say is what it seems: types, unknown elements, codes. Those that say
 * no more than usual are seen to be valid at once: the validator takes as long for an entry as for the resource in it.
 */
async function checkElements(
  organizationId: string,
  bundle: Held,
  entries: readonly unknown[],
  validator: ResourceValidator,
): Promise<void> {
  const unusual = entries.flatMap((entry, index) => (isPlainEntry(entry as Held) ? [] : [index]));
  if (unusual.length === 0 && hasOnly(bundle, PLAIN_BUNDLE)) return;
  for (let from = 0; from === 0 || from < unusual.length; from += CHECKED_AT_ONCE) {
    const part = unusual.slice(from, from + CHECKED_AT_ONCE);
    const { entry: _entry, ...rest } = bundle;
    const shell = {
      ...rest,
      ...(part.length === 0 ? {} : { entry: part.map((index) => withoutResource(entries[index])) }),
    };
    const { level, issues } = await validator.validateAnyWeight(organizationId, shell);
    if (level !== null)
      throw new OutcomeError(
        'fhir.structure',
        issues.map((issue) => moved(issue, part)),
      );
    await nextTurn();
  }
}

/** fullUrl, resource and request, and of the request what is text: as R4 has it, without asking it. */
function isPlainEntry(entry: Held): boolean {
  const { fullUrl, request } = entry;
  if (
    !hasOnly(entry, PLAIN_ENTRY) ||
    !isObject(request) ||
    !hasOnly(request, PLAIN_REQUEST) ||
    !METHODS.includes(request['method'])
  )
    return false;
  const { ifMatch = 'x', ifNoneMatch = 'x', ifNoneExist = 'x', url } = request;
  return (
    (fullUrl === undefined || isText(fullUrl, FULL_URL)) &&
    isText(url, /^\S+$/) &&
    [ifMatch, ifNoneMatch, ifNoneExist].every((text) => isText(text, /\S/))
  );
}

function hasOnly(value: Held, names: ReadonlySet<string>): boolean {
  return Object.keys(value).every((name) => names.has(name));
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

function withoutResource(entry: unknown): unknown {
  const { resource: _resource, ...rest } = entry as Held;
  return rest;
}

/** The shell holds some of the entries: an issue names the place that its entry has in the Bundle. */
function moved(issue: ResourceIssue, places: readonly number[]): ResourceIssue {
  return {
    ...issue,
    expression: issue.expression.replace(
      /^Bundle\.entry\[(\d+)\]/,
      (_, index: string) => `Bundle.entry[${places[Number(index)]}]`,
    ),
  };
}

function refused(code: ResourceIssue['code'], place: string, details: string): OutcomeError {
  return new OutcomeError('fhir.bundle', [error(code, place, details)]);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function isObject(value: unknown): value is Held {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
