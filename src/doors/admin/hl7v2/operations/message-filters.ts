import type { OutboundFilter } from '../../../../exits/mllp/outbox/outbound-queries.js';
import type { InboundFilter } from '../../../hl7v2/inbox/store/inbound-queries.js';
import type { InboundQuery, OutboundQuery } from './hl7.schema.js';

/** What both kinds of queries have beside their criteria. */
type Page = 'direction' | 'limit' | 'after';

/** A search of inbound messages, as InboundQueries takes it. */
export function inboundFilter(search: Partial<Omit<InboundQuery, Page>>): InboundFilter {
  const { listenerId: sourceId, type: messageType, state, controlId, patient, order, error, from, to } = search;
  const { organizationId, environment } = search;
  const tenant = {
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(environment === undefined ? {} : { environment }),
  };
  return { ...tenant, sourceId, messageType, state, controlId, patient, order, error, from, to };
}

/** A search of outbound messages, as OutboundQueries takes it. */
export function outboundFilter(search: Partial<Omit<OutboundQuery, Page>>): OutboundFilter {
  const { organizationId, environment, destinationId, state, controlId, patient, order, error, from, to } = search;
  return { organizationId, environment, destinationId, state, controlId, patient, order, error, from, to };
}
