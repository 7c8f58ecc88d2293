import type { Extension, Subscription } from '@medplum/fhirtypes';
import { OutcomeError } from '../../standards/fhir/outcome/outcome-error.js';
import { error, type ResourceIssue } from '../../standards/fhir/validation/resource-issue.js';
import { crossVersionExtensions } from './cross-version-extensions.js';
import { readChannel, type SubscriptionChannel } from './subscription-channel.js';
import { readFilters, type SubscriptionFilter } from './subscription-filters.js';
import { BACKPORT_DEFINITIONS, SUBSCRIPTION_TOPICS, topicOf, type SubscriptionTopic } from './subscription-topics.js';

/** What a client asks for. */
export interface SubscriptionRequest {
  readonly topic: SubscriptionTopic;
  readonly filters: readonly SubscriptionFilter[];
  readonly channel: SubscriptionChannel;
  /** Nothing is told from then on; null: it has no end. */
  readonly endsAt: Date | null;
  /** The client turned it off. */
  readonly isOff: boolean;
}

/** The server that was asked, and when. */
export interface AskedServer {
  /** Without a slash at the end. */
  readonly base: string;
  readonly now: Date;
}

type SentSubscription = Subscription & { readonly _criteria?: { readonly extension?: readonly Extension[] } };

const FILTER_CRITERIA = `${BACKPORT_DEFINITIONS}/backport-filter-criteria`;

/**
 * Reads a Subscription of R4: by the backport guide 1.1.0 (`criteria` is a topic), or classic (`criteria` is a search), which means the topic
 * of its type with the search as the filter. Valid base R4 is taken for granted. `fhir.business_rule` names every element that is not
 * supported, so that a Subscription is never kept and then ignored.
 */
export function readSubscription(sent: SentSubscription, { base, now }: AskedServer): SubscriptionRequest {
  const issues: ResourceIssue[] = crossVersionExtensions({ ...sent }, 'Subscription').map((place) =>
    error('not-supported', place, 'Elements of R5 as extensions are not supported. Use those of the backport guide.'),
  );
  const { topic, filters, isClassic } = readCriteria(sent, base, issues);
  const channel = readChannel(sent.channel ?? { type: undefined }, isClassic, issues);
  const endsAt = sent.end === undefined ? null : new Date(sent.end);
  const isOff = sent.status === 'off';
  if (!isOff && endsAt !== null && endsAt <= now)
    issues.push(error('value', 'Subscription.end', 'The end has passed. State one to come, or none.'));
  if (topic === undefined || issues.length > 0) throw new OutcomeError('fhir.business_rule', issues);
  return { topic, filters, channel, endsAt, isOff };
}

interface ReadCriteria {
  readonly topic: SubscriptionTopic | undefined;
  readonly filters: readonly SubscriptionFilter[];
  readonly isClassic: boolean;
}

function readCriteria(sent: SentSubscription, base: string, issues: ResourceIssue[]): ReadCriteria {
  const criteria = sent.criteria ?? '';
  const [type] = criteria.split('?', 1);
  const classic = SUBSCRIPTION_TOPICS.find(({ resourceType }) => resourceType === type);
  const topic = classic ?? topicOf(criteria);
  if (topic === undefined) {
    issues.push(error('not-supported', 'Subscription.criteria', NO_TOPIC));
    return { topic, filters: [], isClassic: false };
  }
  const isClassic = classic !== undefined;
  const texts = isClassic ? [{ text: criteria, place: 'Subscription.criteria' }] : [];
  (sent._criteria?.extension ?? []).forEach((extension, index) => {
    const place = `Subscription.criteria.extension[${index}]`;
    if (extension.url === FILTER_CRITERIA) texts.push({ text: extension.valueString ?? '', place });
  });
  const filters = texts.flatMap(({ text, place }) => {
    const read = readFilters(text, topic, base);
    if (read.filters === undefined) issues.push(error('not-supported', place, read.fault));
    return read.filters ?? [];
  });
  return { topic, filters, isClassic };
}

const NO_TOPIC = `No topic of this server. The topics are ${SUBSCRIPTION_TOPICS.map(({ url }) => url).join(' and ')}; searches are of ${SUBSCRIPTION_TOPICS.map(({ resourceType }) => resourceType).join(' and ')}.`;
