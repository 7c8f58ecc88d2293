import { z } from 'zod';
import type { ExitDelivery, ExitEndpoint, FoundDelivery } from '../../../core/deliveries/delivery-exit.js';
import type { Names } from '../../../core/organizations/name-directory.js';
import { id, list, moment, named, owner } from '../action/answer-fields.js';

export const ENDPOINT_VIEW = z.object({
  id,
  name: named,
  ...owner,
  organizationName: named,
  exit: z.string(),
  address: z.string(),
  state: z.enum(['active', 'paused', 'disabled']),
  trouble: z.string().optional().describe('What is wrong with it and what to do.'),
  failingSince: moment
    .optional()
    .describe('Since when deliveries to it fail; absent: they do not, or it is not known.'),
});

export const DELIVERY_VIEW = z.object({
  id,
  exit: z.string(),
  endpointId: id,
  endpointName: named,
  ...owner,
  organizationName: named,
  type: z.string(),
  state: z.string(),
  attempts: z.int(),
  fault: z.string().nullable(),
  createdAt: moment,
  nextAt: moment.nullable(),
  deliveredAt: moment.nullable(),
});

export const DELIVERY_DETAIL_VIEW = DELIVERY_VIEW.extend({
  body: z.string().describe('As it is sent.'),
  log: list(
    z.object({ at: moment, delivered: z.boolean(), answer: z.string().nullable(), fault: z.string().nullable() }),
  ),
  acts: list(z.object({ at: moment, what: z.string(), by: z.string().nullable() })).describe(
    'What people did with it, and who.',
  ),
});

export type EndpointView = z.output<typeof ENDPOINT_VIEW>;
export type DeliveryView = z.output<typeof DELIVERY_VIEW>;
export type DeliveryDetailView = z.output<typeof DELIVERY_DETAIL_VIEW>;

/** Ids of endpoints and organizations that views name. */
export function idsOf(
  found: readonly (Pick<ExitEndpoint, 'id' | 'organizationId'> | Pick<ExitDelivery, 'endpointId' | 'organizationId'>)[],
): string[] {
  return found.flatMap((one) => [one.organizationId, 'endpointId' in one ? one.endpointId : one.id]);
}

export function toEndpointView({ failingSince, ...endpoint }: ExitEndpoint, names: Names): EndpointView {
  return {
    ...endpoint,
    name: names.nameOf(endpoint.id, endpoint.organizationId),
    organizationName: names.organization(endpoint.organizationId),
    ...(failingSince === undefined ? {} : { failingSince: failingSince.toISOString() }),
  };
}

export function toDeliveryView({ createdAt, nextAt, deliveredAt, ...rest }: ExitDelivery, names: Names): DeliveryView {
  const { endpointId, organizationId } = rest;
  return {
    ...rest,
    endpointName: names.nameOf(endpointId, organizationId),
    organizationName: names.organization(organizationId),
    createdAt: createdAt.toISOString(),
    nextAt: nextAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
  };
}

export function toDeliveryDetailView({ delivery, body, log, acts }: FoundDelivery, names: Names): DeliveryDetailView {
  const attempts = log.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() }));
  const done = acts.map(({ at, what, by }) => ({ at: at.toISOString(), what, by }));
  return { ...toDeliveryView(delivery, names), body, log: attempts, acts: done };
}
