import type { IncomingMessage } from 'node:http';
import type { Bundle, OperationOutcome, OperationOutcomeIssue, Resource } from '@medplum/fhirtypes';
import { locationOf } from '../../../standards/fhir/xml/place.js';
import type { SentXml } from '../../../standards/fhir/xml/xml-reader.js';

/** Where resources are in a body that was XML: without the body, which may be large. */
export type SentPlaces = Pick<SentXml, 'held'> & { readonly type: string };

const sent = new WeakMap<IncomingMessage, SentPlaces>();

/** Notes that the body of a request was this XML. */
export function notePlaces(request: IncomingMessage, { resource, held }: SentXml): void {
  sent.set(request, { type: String(resource['resourceType']), held });
}

/** The answer with the places in the body as XPath as well, where it was XML and the answer tells of it. */
export function withLocations(answer: object, request: IncomingMessage): object {
  const places = sent.get(request);
  if (places === undefined || !isResource(answer)) return answer;
  if (answer.resourceType === 'OperationOutcome') return located(answer, places);
  if (answer.resourceType !== 'Bundle' || answer.type !== 'batch-response') return answer;
  return { ...answer, entry: (answer.entry ?? []).map((entry) => locatedEntry(entry, places)) };
}

function isResource(answer: object): answer is Resource {
  return 'resourceType' in answer;
}

function locatedEntry(entry: NonNullable<Bundle['entry']>[number], places: SentPlaces) {
  const outcome = entry.response?.outcome;
  if (outcome?.resourceType !== 'OperationOutcome') return entry;
  return { ...entry, response: { ...entry.response!, outcome: located(outcome, places) } };
}

function located(outcome: OperationOutcome, places: SentPlaces): OperationOutcome {
  return { ...outcome, issue: outcome.issue.map((issue) => withLocation(issue, places)) as OperationOutcome['issue'] };
}

function withLocation(issue: OperationOutcomeIssue, { type, held }: SentPlaces): OperationOutcomeIssue {
  const expression = issue.expression?.[0];
  if (expression === undefined || issue.location !== undefined) return issue;
  const location = locationOf(expression, type, held);
  return location === null ? issue : { ...issue, location: [location] };
}
