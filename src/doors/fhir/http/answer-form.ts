import type { IncomingMessage } from 'node:http';
import { jsonOf } from '../../../platform/turns/json-bytes.js';
import type { ResourceXml } from '../../../standards/fhir/xml/resource-xml.js';
import { acceptableFormat, MEDIA_TYPES, type FhirFormat } from './negotiation.js';
import { withLocations } from './sent-places.js';

/** Every FHIR answer of this door. */
export const NO_STORE: Readonly<Record<string, string>> = { 'cache-control': 'private, no-store' };

/** The form in which a caller has answers: JSON or XML, dense or with line breaks. */
export class AnswerForm {
  private constructor(
    readonly format: FhirFormat,
    readonly isPretty: boolean,
    private readonly request: IncomingMessage | undefined,
    private readonly xml: ResourceXml,
  ) {}

  /** JSON where the caller takes neither, for the refusal. */
  static of(request: IncomingMessage | undefined, query: URLSearchParams, xml: ResourceXml): AnswerForm {
    const format = acceptableFormat(request?.headers.accept, query.get('_format')) ?? 'json';
    return new AnswerForm(format, query.get('_pretty') === 'true', request, xml);
  }

  get headers(): Record<string, string> {
    return { 'content-type': `${MEDIA_TYPES[this.format][0]!}; charset=utf-8`, ...NO_STORE };
  }

  /** A short resource as text. */
  textOf(resource: object): string {
    const shown = this.located(resource);
    if (this.format === 'xml') return this.xml.writeAtOnce(shown, this.isPretty);
    return this.isPretty ? `${JSON.stringify(shown, null, 2)}\n` : JSON.stringify(shown);
  }

  /** A resource of any length, in turns where it is long. */
  async bytesOf(resource: object): Promise<string | Buffer> {
    if (this.format === 'xml') return this.xml.write(this.located(resource), this.isPretty);
    return this.isPretty ? this.textOf(resource) : jsonOf(this.located(resource));
  }

  private located(resource: object): object {
    return this.request === undefined ? resource : withLocations(resource, this.request);
  }
}
