import type { Basic } from '@medplum/fhirtypes';
import type { ConformanceResource } from '../types/served-types.js';

/** What a published definition says of itself. */
export interface PublishedFacts {
  /** Canonical URL. */
  readonly url: string;
  readonly version: string | undefined;
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly status: string | undefined;
  readonly date: string | undefined;
}

/** R4 has no SubscriptionTopic: HL7's backport writes one as a Basic, with R5's elements as extensions. */
const TOPIC_ELEMENT = 'http://hl7.org/fhir/5.0/StructureDefinition/extension-SubscriptionTopic.';

/** The elements that all definitions have, a topic in extensions. */
export function factsOf(resource: ConformanceResource): PublishedFacts {
  if (resource.resourceType === 'Basic') return factsOfTopic(resource);
  const { url, version, name, status, date, description } = resource;
  const title = 'title' in resource ? resource.title : undefined;
  return { url: url!, version, name, title, description, status, date };
}

function factsOfTopic({ extension = [], modifierExtension = [] }: Basic): PublishedFacts {
  const find = (name: string) =>
    [...extension, ...modifierExtension].find(({ url }) => url === `${TOPIC_ELEMENT}${name}`);
  return {
    url: find('url')!.valueUri!,
    version: find('version')?.valueString,
    name: find('name')?.valueString,
    title: find('title')?.valueString,
    description: find('description')?.valueMarkdown,
    status: find('status')?.valueCode,
    date: find('date')?.valueDateTime,
  };
}
