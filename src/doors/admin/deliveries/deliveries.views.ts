import type { ExitAttempt, ExitDelivery } from '../../../core/deliveries/delivery-exit.js';

type Shown<T, Moment extends keyof T> = Omit<T, Moment> & {
  readonly [K in Moment]: string | Extract<T[K], null>;
};

/** A delivery as the admin API and --json show it. Instants are RFC 3339 in UTC. */
export type DeliveryView = Shown<ExitDelivery, 'createdAt' | 'nextAt' | 'deliveredAt'>;
export type DeliveryDetailView = DeliveryView & {
  /** As it is sent. */
  readonly body: string;
  readonly log: readonly Shown<ExitAttempt, 'at'>[];
};

export function toDeliveryView({ createdAt, nextAt, deliveredAt, ...rest }: ExitDelivery): DeliveryView {
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    nextAt: nextAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
  };
}
