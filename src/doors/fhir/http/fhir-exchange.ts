import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../core/tenancy/api-key.js';
import { chooseLanguage, type Language } from '../../../reports/index.js';
import { pathOf } from '../../../platform/http/problem.js';
import type { Preconditions } from '../call/fhir-call.js';
import type { Preferences } from '../call/preferences.js';
import type { ResourceXml } from '../../../standards/fhir/xml/resource-xml.js';
import { AnswerForm } from './answer-form.js';
import { parseAddress, type FhirAddress } from './fhir-address.js';
import { readPreferences } from './negotiation.js';

/** The paths of the base; both are the same server. */
const BASE_PATHS = ['/fhir/R4', '/fhir'] as const;

/** A request to this door, read without its body. */
export interface FhirExchange {
  readonly caller: Caller;
  readonly requestId: string;
  /** Absolute, as the client addressed it: `https://…/fhir`. */
  readonly base: string;
  /** The method; GET for HEAD as well. */
  readonly method: string;
  /** null: not an address of FHIR. */
  readonly address: FhirAddress | null;
  readonly query: URLSearchParams;
  readonly preferences: Preferences;
  readonly conditions: Preconditions;
  /** The form of the answer. */
  readonly form: AnswerForm;
  /** Reads the body where it is XML. */
  readonly xml: ResourceXml;
  /** Of the service's own words in the answer. */
  readonly language: Language;
  /** The source of the body, and of headers of single routes. */
  readonly request: FastifyRequest;
}

export function toExchange(request: FastifyRequest, caller: Caller, publicUrl: string, xml: ResourceXml): FhirExchange {
  const url = request.raw.url ?? '';
  const path = pathOf(url);
  const basePath = basePathOf(path);
  const { headers } = request;
  const query = queryOf(url);
  return {
    caller,
    requestId: request.id,
    base: `${publicUrl}${basePath}`,
    method: request.method === 'HEAD' ? 'GET' : request.method,
    address: parseAddress(path.slice(basePath.length)),
    query,
    preferences: readPreferences(textOf(headers['prefer'])),
    conditions: {
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
      ifModifiedSince: headers['if-modified-since'],
      ifNoneExist: textOf(headers['if-none-exist']),
    },
    form: AnswerForm.of(request.raw, query, xml),
    xml,
    language: chooseLanguage(undefined, headers['accept-language'])!,
    request,
  };
}

export function basePathOf(path: string): (typeof BASE_PATHS)[number] {
  return BASE_PATHS.find((base) => path === base || path.startsWith(`${base}/`)) ?? '/fhir';
}

export function queryOf(url: string): URLSearchParams {
  const [beforeFragment = ''] = url.split('#', 1);
  const start = beforeFragment.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : beforeFragment.slice(start + 1));
}

/** All values of a header, as a list where it was sent more than once. */
export function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
