import type { InboundFilter } from '../../inbox/store/inbound-queries.js';
import type { OutboundFilter } from '../../outbound/outbox/outbound-queries.js';
import type { InboundQuery, OutboundQuery } from './hl7.schema.js';

type Search = Partial<
  Pick<InboundQuery, 'organizationId' | 'environment' | 'controlId' | 'patient' | 'order' | 'error' | 'from' | 'to'>
>;

/** A search of what came in, in the words of the inbox. */
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

/** A search of what goes out, in the words of the outbox. */
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
