import { Injectable } from '@nestjs/common';
import { isOfEhr, originOf, parsedAddress } from '../../../core/ehrs/ehr-addresses.js';
import { Clock } from '../../../core/ports/clock.js';
import { EhrCaller, NoEhrAnswerError, readCapabilities, type EhrCapabilities } from '../../../ehrs/index.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { AccessTokens } from './access-tokens.js';
import { isErrors, isPage, listOf, toFhirAnswer, type AnsweredResource, type FhirAnswer } from './fhir-answer.js';

/** One request to the FHIR server of an EHR. */
export interface FhirRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the base, such as `Patient?identifier=…`; empty: the base itself. */
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** All that a search answered; `isWhole` false: there is, or may be, more than was read. */
export interface FoundResources {
  readonly resources: readonly AnsweredResource[];
  readonly isWhole: boolean;
}

const FHIR_JSON = 'application/fhir+json';
/** A document of 5 MiB inline, in base64. */
const SENT_TIMEOUT_MS = 30_000;
/** More candidates are not looked through: that cannot be told then. */
const MOST_FOUND = 50;

/** The FHIR server of an EHR: requests with its token, answers as resources. NoEhrAnswerError where there was no answer, or no right to ask. */
@Injectable()
export class EhrServer {
  constructor(
    private readonly caller: EhrCaller,
    private readonly tokens: AccessTokens,
    private readonly clock: Clock,
  ) {}

  /** A token that has ended is replaced once. 401 after that: `unauthorized`, nothing was filed. */
  async ask(ehr: PushingEhr, request: FhirRequest): Promise<FhirAnswer> {
    const first = await this.once(ehr, request);
    if (first.status !== 401) return first;
    const again = this.tokens.forget(ehr) ? await this.once(ehr, request) : first;
    if (again.status === 401) throw new NoEhrAnswerError('unauthorized', false);
    return again;
  }

  /** The resources of one type that fit. Another status than 200 is handed to `refuse`, which throws. */
  async search(
    ehr: PushingEhr,
    type: string,
    parameters: Readonly<Record<string, string | readonly string[]>>,
    { signal, refuse }: { readonly signal?: AbortSignal; refuse(answer: FhirAnswer): never },
  ): Promise<FoundResources> {
    const query = new URLSearchParams();
    for (const [name, values] of Object.entries(parameters))
      for (const value of [values].flat()) query.append(name, value);
    query.append('_count', String(MOST_FOUND));
    const answer = await this.ask(ehr, {
      method: 'GET',
      path: `${type}?${query.toString()}`,
      ...(signal === undefined ? {} : { signal }),
    });
    const { resource } = answer;
    // A page of a proxy, or half an answer, says nothing of what the EHR has.
    if (isPage(answer)) throw new NoEhrAnswerError('no_bundle', false);
    if (answer.status !== 200) return refuse(answer);
    if (resource?.resourceType !== 'Bundle') throw new NoEhrAnswerError('no_bundle', false);
    const { entry, link } = resource as { readonly entry?: unknown; readonly link?: unknown };
    const found = listOf(entry).flatMap((one): AnsweredResource[] => {
      const { resource: held } = one as { readonly resource?: unknown };
      return typeof held === 'object' && held !== null ? [held] : [];
    });
    const hasMore = listOf(link).some((one) => (one as { readonly relation?: unknown }).relation === 'next');
    const isWhole = !hasMore && !found.some(isErrors);
    return { resources: found.filter(({ resourceType }) => resourceType === type), isWhole };
  }

  /** NoEhrAnswerError `no_capabilities` where it does not state them. */
  async capability(ehr: PushingEhr, signal?: AbortSignal): Promise<EhrCapabilities> {
    // Stated to everybody: a token that cannot be had would hide what the server is.
    const answer = await this.caller.ask(ehr, {
      method: 'GET',
      url: `${ehr.fhirBaseUrl}/metadata`,
      headers: { accept: FHIR_JSON },
      ...(signal === undefined ? {} : { signal }),
    });
    const stated = answer.status === 200 ? readCapabilities(toFhirAnswer(answer, 0).resource) : null;
    if (stated === null) throw new NoEhrAnswerError('no_capabilities', false);
    return stated;
  }

  /** The bytes of an attachment that the EHR keeps beside its document; null: they cannot be read, or lie where nothing is asked. */
  async bytesOf(ehr: PushingEhr, url: string, signal?: AbortSignal): Promise<Buffer | null> {
    const absolute = parsedAddress(url) !== null ? url : `${ehr.fhirBaseUrl}/${url.replace(/^\/+/, '')}`;
    if (!isOfEhr(ehr, absolute)) return null;
    // The token is for the FHIR server alone, whatever else of the EHR an attachment lies at.
    const isOfServer = originOf(absolute) === originOf(ehr.fhirBaseUrl);
    const token = isOfServer ? await this.tokens.of(ehr, signal) : null;
    const headers = { accept: FHIR_JSON, ...(token === null ? {} : { authorization: `Bearer ${token}` }) };
    const answer = await this.caller.ask(ehr, {
      method: 'GET',
      url: absolute,
      headers,
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.status !== 200) return null;
    const { resource } = toFhirAnswer(answer, 0);
    if (resource?.resourceType !== 'Binary') return answer.body;
    const { data } = resource as { readonly data?: unknown };
    return typeof data === 'string' ? Buffer.from(data, 'base64') : null;
  }

  private async once(ehr: PushingEhr, { method, path, body, headers, signal }: FhirRequest): Promise<FhirAnswer> {
    const token = await this.tokens.of(ehr, signal);
    const answer = await this.caller.ask(ehr, {
      method,
      url: path === '' ? ehr.fhirBaseUrl : `${ehr.fhirBaseUrl}/${path}`,
      headers: {
        accept: FHIR_JSON,
        ...(body === undefined ? {} : { 'content-type': FHIR_JSON }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body), timeoutMs: SENT_TIMEOUT_MS }),
      ...(signal === undefined ? {} : { signal }),
    });
    return toFhirAnswer(answer, this.clock.now().getTime());
  }
}
