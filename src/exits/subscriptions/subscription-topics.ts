import { SUTURA } from '../../reports/index.js';

/** Canonical URLs of HL7's guide "Subscriptions R5 Backport" 1.1.0 start with it. */
export const BACKPORT = 'http://hl7.org/fhir/uv/subscriptions-backport';
export const BACKPORT_DEFINITIONS = `${BACKPORT}/StructureDefinition`;

/** Search parameters that a subscription may filter by. `subject` means the same as `patient`. */
export const FILTER_PARAMETERS = ['patient', 'subject', 'status', 'code'] as const;
export type FilterParameter = (typeof FILTER_PARAMETERS)[number];

/** What a client can be told of: every version of one type of resource. */
export interface SubscriptionTopic {
  /** Canonical URL. */
  readonly url: string;
  readonly title: string;
  readonly resourceType: 'DiagnosticReport' | 'Task';
  /** Search parameters of it whose targets go with a whole resource. */
  readonly includes: readonly 'result'[];
}

const TOPICS = `${SUTURA}/SubscriptionTopic`;

/** The topics of this service. A topic of somebody else is refused. */
export const SUBSCRIPTION_TOPICS: readonly SubscriptionTopic[] = [
  {
    url: `${TOPICS}/wound-assessment-report`,
    title: 'A report is new, or amended, corrected or withdrawn',
    resourceType: 'DiagnosticReport',
    includes: ['result'],
  },
  {
    url: `${TOPICS}/wound-analysis-status`,
    title: 'An analysis reaches another status',
    resourceType: 'Task',
    includes: [],
  },
];

/** By canonical URL, with or without a version; undefined: no topic of this service. */
export function topicOf(canonical: string): SubscriptionTopic | undefined {
  const [url] = canonical.split('|', 1);
  return SUBSCRIPTION_TOPICS.find((topic) => topic.url === url);
}
