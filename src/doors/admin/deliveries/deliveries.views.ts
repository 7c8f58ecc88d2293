import { z } from 'zod';
import type { ExitDelivery, ExitEndpoint, FoundDelivery } from '../../../core/deliveries/delivery-exit.js';
import { id, list, moment, owner } from '../action/answer-fields.js';

export const ENDPOINT_VIEW = z.object({
  id,
  ...owner,
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
  ...owner,
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

export function toEndpointView({ failingSince, ...endpoint }: ExitEndpoint): EndpointView {
  return { ...endpoint, ...(failingSince === undefined ? {} : { failingSince: failingSince.toISOString() }) };
}

export function toDeliveryView({ createdAt, nextAt, deliveredAt, ...rest }: ExitDelivery): DeliveryView {
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    nextAt: nextAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
  };
}

export function toDeliveryDetailView({ delivery, body, log, acts }: FoundDelivery): DeliveryDetailView {
  const attempts = log.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() }));
  const done = acts.map(({ at, what, by }) => ({ at: at.toISOString(), what, by }));
  return { ...toDeliveryView(delivery), body, log: attempts, acts: done };
}
