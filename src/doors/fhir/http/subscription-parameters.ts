import type { Parameters } from '@medplum/fhirtypes';
import { invalidInput } from '../../../platform/http/parse-input.js';
import { namedTypeOf } from '../../../platform/http/unread-bodies.js';
import type { SubmissionCheck } from '../interactions/submission-check.js';
import { readSent } from './body-reading.js';
import type { FhirExchange } from './fhir-exchange.js';
import { requireBodyType } from './negotiation.js';

const OF_THE_DOOR = ['_format', '_pretty'];

/** The parameters of an operation by name, from its body or its address. */
export async function readParameters(exchange: FhirExchange, check: SubmissionCheck): Promise<URLSearchParams> {
  const { method, request, query } = exchange;
  const length = request.headers['content-length'];
  const isEmpty = (length === undefined || length === '0') && request.headers['transfer-encoding'] === undefined;
  if (method !== 'POST' || isEmpty) return query;
  requireBodyType(namedTypeOf(request), 'resource');
  const sent = (await check.valid(exchange.caller, 'Parameters', await readSent(exchange))) as Parameters;
  return new URLSearchParams(
    (sent.parameter ?? []).map(({ name = '', valueId, valueCode, valueString, valueInstant }): [string, string] => [
      name,
      valueId ?? valueCode ?? valueString ?? valueInstant ?? '',
    ]),
  );
}

/** A parameter that is not understood would have said which events. */
export function requireKnown(sent: URLSearchParams, known: readonly string[]): void {
  for (const name of sent.keys())
    if (!known.includes(name) && !OF_THE_DOOR.includes(name))
      throw invalidInput(`/query/${name}`, `is not served. The parameters are ${known.join(', ')}`);
}
