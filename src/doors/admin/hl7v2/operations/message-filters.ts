import type { InboundFilter } from '../../../hl7v2/inbox/store/inbound-queries.js';
import type { OutboundFilter } from '../../../../exits/mllp/outbox/outbound-queries.js';
import type { InboundQuery, OutboundQuery } from './hl7.schema.js';

type Search = Partial<
  Pick<InboundQuery, 'organizationId' | 'environment' | 'controlId' | 'patient' | 'order' | 'error' | 'from' | 'to'>
>;

/** A search of inbound messages, as InboundQueries takes it. */
export function inboundFilter({
  listenerId,
  type,
  state,
  organizationId,
  environment,
  controlId,
  patient,
  order,
  error,
  from,
  to,
}: Search & Pick<Partial<InboundQuery>, 'listenerId' | 'type' | 'state'>): InboundFilter {
  const tenant = {
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(environment === undefined ? {} : { environment }),
  };
  return { ...tenant, sourceId: listenerId, messageType: type, state, controlId, patient, order, error, from, to };
}

/** A search of outbound messages, as OutboundQueries takes it. */
export function outboundFilter({
  destinationId,
  state,
  organizationId,
  environment,
  controlId,
  patient,
  order,
  error,
  from,
  to,
}: Search & Pick<Partial<OutboundQuery>, 'destinationId' | 'state'>): OutboundFilter {
  const tenant =
    organizationId === undefined || environment === undefined ? undefined : { organizationId, environment };
  return { tenant, destinationId, state, controlId, patient, order, error, from, to };
}
