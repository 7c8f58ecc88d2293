import type { Tenant } from '../tenancy/tenant.js';

/** What is counted of the queue of one endpoint, at most. */
export const MOST_COUNTED = 10_000;

/** An endpoint that deliveries go to, with what its queue records. */
export interface ReceiverFacts extends Tenant {
  readonly id: string;
  readonly exit: 'hl7' | 'webhook' | 'subscription' | 'ehr';
  /** null: it has none, and is known by its address. */
  readonly name: string | null;
  readonly address: string;
  readonly isPaused: boolean;
  /** Its settings name files of certificates, which end. */
  readonly hasCertificates: boolean;
  /** By the service. */
  readonly disabledFor: 'gone' | 'failing' | 'handshake' | null;
  readonly disabledAt: Date | null;
  readonly waiting: number;
  readonly oldestWaitingAt: Date | null;
  readonly parked: number;
  readonly oldestParkedAt: Date | null;
  /** The first failure since the last delivery; null: the last try was accepted, or none was made. */
  readonly failingSince: Date | null;
  /** Why the last try had no answer, or the code of the answer, of the oldest that waits and was tried. */
  readonly lastFault: string | null;
  readonly lastAnswer: string | null;
  readonly lastAcceptedAt: Date | null;
  /** A process holds the lease to send. */
  readonly isServed: boolean;
}

/** A way in over MLLP, with what gateways report of it. */
export interface ListenerFacts extends Tenant {
  readonly id: string;
  readonly name: string;
  /** null: for HTTP alone. */
  readonly port: number | null;
  readonly isPaused: boolean;
  /** null: it is paused, or for HTTP alone. */
  readonly isServed: boolean | null;
  readonly notServedReason: string | null;
  readonly notServedSince: Date | null;
  readonly certificateEndsAt: Date | null;
  readonly lastMessageAt: Date | null;
}

/** A process of the service, as it last reported. */
export interface ProcessFacts {
  readonly id: string;
  readonly roles: readonly string[];
  readonly host: string;
  readonly seenAt: Date;
  /** It reported within the last 20 seconds. */
  readonly isFresh: boolean;
  /** What /health/ready calls failed, and since when. */
  readonly failing: Readonly<Record<string, Date>>;
  /** Figures of its /metrics, by name; of figures with a label by `name label`. */
  readonly figures: Readonly<Record<string, number>>;
}

/** What waits to be worked off, over all organizations. */
export interface WorkFacts {
  readonly jobsQueued: number;
  readonly jobsRunning: number;
  readonly oldestJobAt: Date | null;
  readonly lastJobEndedAt: Date | null;
  readonly oldestEventAt: Date | null;
  readonly oldestMessageAt: Date | null;
}

/** How many of something one organization has, and since when. */
export interface CountFacts extends Tenant {
  /** Code of the failure, reason of holding, or state of a message. */
  readonly code: string;
  readonly count: number;
  readonly since: Date;
}

/** How much of its UTC day an organization has used. */
export interface QuotaFacts {
  readonly organizationId: string;
  readonly used: number;
  readonly limit: number;
}

/** Everything that the standing is made of; null: it could not be read in time. */
export interface ServiceFacts {
  readonly organizations: ReadonlyMap<string, string> | null;
  readonly receivers: readonly ReceiverFacts[] | null;
  readonly listeners: readonly ListenerFacts[] | null;
  readonly processes: readonly ProcessFacts[] | null;
  readonly work: WorkFacts | null;
  readonly failedJobs: readonly CountFacts[] | null;
  readonly held: readonly CountFacts[] | null;
  readonly messages: readonly CountFacts[] | null;
  readonly quotas: readonly QuotaFacts[] | null;
  /** Whether the database takes no writes. */
  readonly isReadOnly: boolean | null;
  /** By the clock of the database, which everything else is dated by. */
  readonly now: Date | null;
}

/** What the product records of how it stands. Never fails: what cannot be read is null. */
export abstract class StandingFacts {
  /** A few statements, read at most once in some seconds. */
  abstract gather(): Promise<ServiceFacts>;
}
