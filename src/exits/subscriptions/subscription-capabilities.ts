import type { CapabilityStatementRestResource } from '@medplum/fhirtypes';
import { CORE_DEFINITIONS } from '../../standards/fhir/types/fhir-release.js';
import { MOST_SENT_AGAIN } from './subscription-control.js';
import { MOST_EVENTS } from './subscription-history.js';
import { BACKPORT, BACKPORT_DEFINITIONS, SUBSCRIPTION_TOPICS } from './subscription-topics.js';

const PARAMETER = 'http://hl7.org/fhir/SearchParameter';

/** Subscription in the CapabilityStatement, with the topics by the backport guide's extension. */
export const SUBSCRIPTION_CAPABILITIES: CapabilityStatementRestResource = {
  extension: SUBSCRIPTION_TOPICS.map(({ url }) => ({
    url: `${BACKPORT_DEFINITIONS}/capabilitystatement-subscriptiontopic-canonical`,
    valueCanonical: url,
  })),
  type: 'Subscription',
  profile: `${CORE_DEFINITIONS}Subscription`,
  supportedProfile: [`${BACKPORT_DEFINITIONS}/backport-subscription`],
  documentation:
    'For keys with the scope webhooks:manage that may read what the topic is about. The channel is rest-hook, the payload application/fhir+json or application/fhir+xml. Criteria are a topic, or a search of its type by patient, subject, status and code.',
  interaction: [{ code: 'read' }, { code: 'search-type' }, { code: 'create' }, { code: 'update' }, { code: 'delete' }],
  versioning: 'versioned',
  readHistory: false,
  updateCreate: false,
  conditionalCreate: true,
  conditionalRead: 'not-supported',
  conditionalUpdate: false,
  conditionalDelete: 'not-supported',
  searchParam: [
    { name: '_id', definition: `${PARAMETER}/Resource-id`, type: 'token' },
    { name: 'criteria', definition: `${PARAMETER}/Subscription-criteria`, type: 'string' },
    { name: 'status', definition: `${PARAMETER}/Subscription-status`, type: 'token' },
    { name: 'url', definition: `${PARAMETER}/Subscription-url`, type: 'uri' },
  ],
  operation: [
    {
      name: 'status',
      definition: `${BACKPORT}/OperationDefinition/backport-subscription-status`,
      documentation: 'For keys with the scope webhooks:manage.',
    },
    {
      name: 'events',
      definition: `${BACKPORT}/OperationDefinition/backport-subscription-events`,
      documentation: `For keys with the scope webhooks:manage that may read what the topic is about. ${MOST_EVENTS} events at most.`,
    },
    {
      name: 'resend',
      definition: `${BACKPORT}/OperationDefinition/backport-subscription-resend|1.2.0-ballot`,
      documentation: `For keys with the scope webhooks:manage that may read what the topic is about. ${MOST_SENT_AGAIN} events at most.`,
    },
  ],
};
