import type { Binary } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { preferredMediaType } from '../../../platform/http/accept.guard.js';
import { matchesEntityTag } from '../../../platform/http/entity-tag.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { invalidInput } from '../../../platform/http/parse-input.js';
import { mediaTypeOf, namedTypeOf } from '../../../platform/http/unread-bodies.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import { BinaryContent, type BinaryBytes } from '../interactions/binary-content.js';
import { permit } from '../interactions/interaction-check.js';
import { targetOf, withRelativeReferences } from '../interactions/reference-walk.js';
import { answerOf } from '../interactions/resource-reading.js';
import { renderAnswer } from './answer-rendering.js';
import { readBytes } from './body-reading.js';
import { rangeOf } from './byte-range.js';
import { textOf, type FhirExchange } from './fhir-exchange.js';
import { acceptableFormat, formatNamed, MEDIA_TYPES, type FhirFormat } from './negotiation.js';
import { ResourceRoutes } from './resource-routes.js';

/** Other documents are XML, too, such as CDA: application/xml is of bytes. */
const RESOURCE_TYPES = [...MEDIA_TYPES.json, MEDIA_TYPES.xml[0]!];
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}$/;

/** Binary: raw bytes in their own type, or the resource (R4 binary.html 2.19.3). */
@Injectable()
export class BinaryRoutes {
  constructor(
    private readonly content: BinaryContent,
    private readonly resources: ResourceRoutes,
    private readonly calls: AuditedCalls,
  ) {}

  async create(exchange: FhirExchange): Promise<HttpAnswer> {
    const contentType = mediaTypeOf(namedTypeOf(exchange.request));
    if (RESOURCE_TYPES.includes(contentType)) return this.resources.create(exchange, 'Binary');
    permit(exchange.caller, 'Binary', 'create');
    if (!MEDIA_TYPE.test(contentType))
      throw new SuturaError('request.content_type', {
        detail: 'Send the bytes with their media type, or a Binary as application/fhir+json or application/fhir+xml.',
      });
    const securityContext = readSecurityContext(exchange);
    const bytes = await readBytes(exchange.request);
    const prepared = await this.content.submit(exchange.caller, { contentType, bytes, securityContext });
    return this.resources.createFrom(exchange, 'Binary', { resource: prepared.resource, prepared });
  }

  async read(exchange: FhirExchange, id: string): Promise<HttpAnswer> {
    const { visible } = permit(exchange.caller, 'Binary', 'read');
    const load = await this.calls.run(exchange, async (call) => {
      const binary = await this.content.open(call, id, visible);
      await this.calls.record(call, 'read', {
        resources: binary.securityContext === null ? [] : [contextOnly(id, binary.securityContext)],
        references: [`Binary/${id}`],
      });
      return binary.load;
    });
    const opened = await load();
    return this.formOf(exchange, opened.contentType) === 'bytes'
      ? this.asBytes(exchange, opened)
      : this.asResource(exchange, id, opened);
  }

  /** `_format` takes precedence over Accept; without either the bytes are sent as they are. */
  private formOf({ query, request }: FhirExchange, contentType: string): FhirFormat | 'bytes' {
    const format = query.get('_format');
    if (format !== null && format !== '') {
      const named = formatNamed(format);
      if (named !== null) return named;
      if (format.replace(' ', '+') === contentType) return 'bytes';
      throw new SuturaError('request.not_acceptable', {
        detail: `These bytes are served as ${contentType}, or as a Binary in application/fhir+json or application/fhir+xml.`,
      });
    }
    const wanted = preferredMediaType(request.headers.accept, [contentType, ...MEDIA_TYPES.json, ...MEDIA_TYPES.xml]);
    if (wanted === null)
      throw new SuturaError('request.not_acceptable', {
        detail: `These bytes are served as ${contentType}, or as a Binary in application/fhir+json or application/fhir+xml.`,
      });
    return wanted === contentType ? 'bytes' : acceptableFormat(request.headers.accept, null)!;
  }

  private asResource({ base, form, conditions }: FhirExchange, id: string, opened: BinaryBytes): Promise<HttpAnswer> {
    const answer = answerOf(id, opened, conditions);
    return renderAnswer(answer, { base, form, answerWith: null, locatedBy: 'content-location' });
  }

  private asBytes(
    { request }: FhirExchange,
    { bytes, contentType, entityTag, lastModified, securityContext }: BinaryBytes,
  ): HttpAnswer {
    const headers = {
      etag: entityTag,
      'last-modified': lastModified.toUTCString(),
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      'content-disposition': 'attachment',
      ...(securityContext === null ? {} : { 'x-security-context': securityContext }),
    };
    if (matchesEntityTag(request.headers['if-none-match'], entityTag)) return { status: 304, headers, body: null };
    const typed = { ...headers, 'content-type': contentType };
    const ifRange = textOf(request.headers['if-range']);
    const range = ifRange === undefined || ifRange === entityTag ? rangeOf(request.headers.range, bytes.length) : null;
    if (range === null) return { status: 200, headers: typed, body: bytes };
    if (range === 'unsatisfiable')
      return { status: 416, headers: { ...headers, 'content-range': `bytes */${bytes.length}` }, body: null };
    const { first, last } = range;
    return {
      status: 206,
      headers: { ...typed, 'content-range': `bytes ${first}-${last}/${bytes.length}` },
      body: bytes.subarray(first, last + 1),
    };
  }
}

/** `X-Security-Context` as a relative reference; null without one. `request.invalid`. */
function readSecurityContext({ request, base }: FhirExchange): string | null {
  const given = textOf(request.headers['x-security-context']);
  if (given === undefined) return null;
  const { securityContext } = withRelativeReferences<Binary>(
    { resourceType: 'Binary', contentType: '', securityContext: { reference: given.trim() } },
    base,
  );
  const reference = securityContext!.reference!;
  if (targetOf(reference) === null)
    throw invalidInput(
      '/header/X-Security-Context',
      'must be a reference to a resource of this server, such as Patient/[id]',
    );
  return reference;
}

/** The resource that the audit trail reads the patient of the bytes from. */
function contextOnly(id: string, securityContext: string): Binary {
  return { resourceType: 'Binary', id, contentType: '', securityContext: { reference: securityContext } };
}
