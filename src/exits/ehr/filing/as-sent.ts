import { isDeepStrictEqual } from 'node:util';
import { listOf, type AnsweredResource } from '../calls/fhir-answer.js';
import type { FiledForm } from '../dialects/filing.js';

/** What servers set, drop or keep elsewhere. */
const OF_SERVERS: ReadonlySet<string> = new Set([
  'id',
  'meta',
  'text',
  'implicitRules',
  'language',
  'contained',
  'extension',
  'identifier',
  'masterIdentifier',
  'author',
  'authenticator',
  'custodian',
  'performer',
  'encounter',
  'context',
  'subject',
  'docStatus',
  'status',
]);

/** Whether what stands there is what was sent, in all that a clinician may write: what somebody changed is theirs. */
export function isAsSent(present: AnsweredResource, sent: FiledForm): boolean {
  const [there, ours] = [fieldsOf(present), fieldsOf(sent)];
  return [...new Set([...Object.keys(there), ...Object.keys(ours)])].every((name) => isSame(there[name], ours[name]));
}

/** Servers drop parts of a second, and write the same instant by other clocks. */
function isSame(there: unknown, ours: unknown): boolean {
  if (isMoment(there) && isMoment(ours)) return Math.abs(Date.parse(there) - Date.parse(ours)) < SECOND_MS;
  // Of its transaction: the server puts its own address in the place.
  if (typeof ours === 'string' && ours.startsWith(IN_BUNDLE)) return typeof there === 'string';
  if (!isNode(there) || !isNode(ours)) return isDeepStrictEqual(there, ours);
  const names = new Set([...Object.keys(there), ...Object.keys(ours)]);
  return Array.isArray(there) === Array.isArray(ours) && [...names].every((name) => isSame(there[name], ours[name]));
}

const IN_BUNDLE = 'urn:uuid:';
const SECOND_MS = 1000;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

function isMoment(value: unknown): value is string {
  return typeof value === 'string' && MOMENT.test(value);
}

function isNode(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function fieldsOf(resource: object): Readonly<Record<string, unknown>> {
  const named = Object.entries(resource).filter(([name, value]) => !OF_SERVERS.has(name) && value !== undefined);
  return Object.fromEntries(
    named.map(([name, value]) => [name, name === 'content' ? listOf(value).map(withoutPlace) : value]),
  );
}

/** Bytes may lie beside the document, and are compared by whoever looks for it. */
function withoutPlace(content: object): object {
  const { attachment, ...rest } = content as { readonly attachment?: object };
  const { data: _, url: __, size: ___, hash: ____, ...named } = (attachment ?? {}) as Readonly<Record<string, unknown>>;
  return { ...rest, attachment: named };
}
