import { R4Definitions } from '../../src/standards/fhir/definitions/r4-definitions.js';
import { ResourceXml } from '../../src/standards/fhir/xml/resource-xml.js';

export const FHIR_XML = 'application/fhir+xml';

const xml = new ResourceXml(new R4Definitions());

/** A resource as a document. */
export function toXml(resource: object): Buffer {
  return Buffer.from(xml.writeAtOnce(resource));
}

/** The resource of a document, as it is in JSON. */
export function fromXml<T>(document: Buffer): T {
  return xml.readAtOnce(document).resource as T;
}
