import type { Environment, Tenant } from '../tenancy/tenant.js';

/** An address that an exit delivers to: a webhook, an HL7 v2 destination. */
export interface ExitEndpoint extends Tenant {
  readonly id: string;
  readonly exit: string;
  readonly address: string;
  /** paused: by a person; disabled: by the service. New deliveries wait. */
  readonly state: 'active' | 'paused' | 'disabled';
  /** What is wrong with it and what to do, in words; absent: nothing is, or nothing is known. */
  readonly trouble?: string;
  /** Since when deliveries fail; absent: they do not, or it is not known. */
  readonly failingSince?: Date;
}

/** Whose endpoints; without either: everybody's. */
export type EndpointFilter = Partial<Tenant>;

/** Something on its way to an endpoint, without its body. */
export interface ExitDelivery extends Tenant {
  readonly id: string;
  readonly exit: string;
  readonly endpointId: string;
  /** Type of the event, or kind of the message. */
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  /** Fault of the last attempt, as a code; null: none was made, or it was accepted. */
  readonly fault: string | null;
  readonly createdAt: Date;
  /** While it waits: when it is tried again, at the earliest. */
  readonly nextAt: Date | null;
  readonly deliveredAt: Date | null;
}

/** A delivery as `find` gives it: with its body, which may have clinical text, and what is known of its attempts, oldest first. */
export interface FoundDelivery {
  readonly delivery: ExitDelivery;
  readonly body: string;
  readonly log: readonly ExitAttempt[];
  /** What people did with it, oldest first. */
  readonly acts: readonly ExitAct[];
}

export interface ExitAttempt {
  readonly at: Date;
  readonly delivered: boolean;
  /** Status or acknowledgment code; null: no answer, which `fault` explains. */
  readonly answer: string | null;
  readonly fault: string | null;
}

/** Parked, requeued, replayed, retried, moved or discarded; `by`: the operator or the key, null for the service. */
export interface ExitAct {
  readonly at: Date;
  readonly what: string;
  readonly by: string | null;
}

export interface DeliveryFilter {
  readonly endpointId?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly environment?: Environment | undefined;
  readonly state?: string | undefined;
}

/** How an endpoint answered a trial. */
export interface EndpointTrial {
  readonly reached: boolean;
  /** Status of the answer, or why there was none. */
  readonly said: string;
}

/**
 * What operators do with one exit, over all tenants: never reached from a caller's key. `endpoint` and `find` answer null for an id that is
 * another exit's; everything else is asked only about what they found, and throws what the exit refuses it with.
 */
export interface DeliveryExit {
  readonly name: string;
  endpoint(id: string): Promise<ExitEndpoint | null>;
  /** Oldest first, paused and disabled ones included. */
  endpoints(filter: EndpointFilter): Promise<readonly ExitEndpoint[]>;
  find(deliveryId: string): Promise<FoundDelivery | null>;
  /** Without its body, which may be sealed. */
  named(deliveryId: string): Promise<ExitDelivery | null>;
  /** Newest first. */
  list(filter: DeliveryFilter, limit: number): Promise<readonly ExitDelivery[]>;
  /** Sends again what was delivered or is parked. `by`, here and below: who does it, as the history of the delivery names them. */
  replay(delivery: ExitDelivery, by: string): Promise<void>;
  /**
   * Sends a parked one again as one of many, as it was found: refused where another attempt or act came between. Answers null, or the code of what a
   * person has to look at first, for this one alone: then nothing was done.
   */
  requeue(delivery: ExitDelivery, by: string): Promise<string | null>;
  /** Sends again, in their order, what was made in that time and was delivered or is parked; answers how many. `until`: not included. */
  replayRange(endpoint: ExitEndpoint, by: string, since: Date, until: Date | null): Promise<number>;
  park(delivery: ExitDelivery, by: string): Promise<void>;
  discard(delivery: ExitDelivery, by: string): Promise<void>;
  pause(endpoint: ExitEndpoint): Promise<void>;
  resume(endpoint: ExitEndpoint): Promise<void>;
  test(endpoint: ExitEndpoint): Promise<EndpointTrial>;
}
