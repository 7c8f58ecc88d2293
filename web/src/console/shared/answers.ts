import type { TracedAs } from '../../../../src/core/trace/trace.js';

/** Answers of the admin API, as docs/openapi.json has them; fields that no page reads are left out. Instants are RFC 3339 in UTC. */

export type Environment = 'test' | 'live';

export interface Items<T> {
  readonly items: readonly T[];
}

export interface TraceEvent {
  readonly at: string;
  readonly what: string;
  readonly resources: readonly string[];
  readonly facts: Readonly<Record<string, string | number>>;
  readonly next: string | null;
}

export interface OwnedEvents {
  readonly organizationId: string;
  readonly environment: Environment;
  readonly events: readonly TraceEvent[];
}

export interface Trace {
  readonly id: string;
  readonly takenFor: readonly TracedAs[];
  readonly photos: readonly (OwnedEvents & { readonly imageId: string })[];
  readonly apart: readonly OwnedEvents[];
  readonly hasMore: boolean;
}

export interface Reason {
  readonly text: string;
  readonly nextStep: string;
}

export interface Hl7Problem {
  readonly severity: 'error' | 'warning';
  readonly text: string;
  readonly code: string;
  /** As in ERR-2; positions count from 1. */
  readonly place: {
    readonly segment: string;
    readonly sequence?: number;
    readonly field?: number;
    readonly component?: number;
  } | null;
}

/** As a receiver states it in its acknowledgment. */
export interface StatedProblem {
  /** ERR-2. */
  readonly place: string;
  readonly conditionText: string;
  readonly message: string;
  readonly diagnostic: string;
}

interface MessageHead {
  readonly id: string;
  readonly organizationId: string;
  readonly environment: Environment;
  readonly controlId: string;
  readonly state: string;
  readonly sizeBytes: number;
  readonly attempts: number;
  readonly ackCode: string | null;
  readonly reason: Reason | null;
}

export interface InboundMessage extends MessageHead {
  readonly direction: 'in';
  readonly messageType: string;
  readonly receivedAt: string;
  readonly processedAt: string | null;
  readonly sendingApplication: string;
  readonly sendingFacility: string;
  readonly problems: readonly Hl7Problem[];
  readonly analysisIds: readonly string[];
}

export interface OutboundMessage extends MessageHead {
  readonly direction: 'out';
  readonly kind: 'result' | 'ack';
  readonly destinationId: string;
  readonly subjectId: string;
  readonly version: number;
  readonly createdAt: string;
  readonly sentAt: string | null;
  readonly deliveredAt: string | null;
  readonly nextAt: string;
  readonly fault: string | null;
  readonly parkedFor: string | null;
}

export type Message = InboundMessage | OutboundMessage;
export type MessageDetail = Message & {
  readonly message: string;
  readonly ack?: string | null;
  readonly answer?: { readonly text: string; readonly problems: readonly StatedProblem[] } | null;
};

interface Peer {
  readonly id: string;
  readonly organizationId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly enabled: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Listener extends Peer {
  readonly served: boolean | null;
  readonly notServedReason: string | null;
  readonly certificateDays: number | null;
}

export interface Destination extends Peer {
  readonly takes: string;
}

export interface Delivery {
  readonly id: string;
  /** `webhook`, `hl7v2`, `subscription`. */
  readonly exit: string;
  readonly endpointId: string;
  readonly organizationId: string;
  readonly environment: Environment;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly fault: string | null;
  readonly createdAt: string;
  readonly nextAt: string | null;
  readonly deliveredAt: string | null;
}

export interface DeliveryDetail extends Delivery {
  /** As it is sent. */
  readonly body: string;
  readonly log: readonly {
    readonly at: string;
    readonly delivered: boolean;
    readonly answer: string | null;
    readonly fault: string | null;
  }[];
}

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly dailyLimit: number;
  /** null: the plan's own. */
  readonly dailyLimitOverride: number | null;
  readonly resultPolicy: string;
  readonly autoAnalyze: boolean;
  readonly unservedTypes: string;
  readonly imageHosts: readonly string[];
  readonly reviewFrameOrigins: readonly string[];
  readonly timeZone: string | null;
  readonly createdAt: string;
  /** Changes with each of its settings. */
  readonly etag: string;
}

export interface ApiKey {
  readonly id: string;
  readonly environment: Environment;
  readonly prefix: string;
  readonly lastFour: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface Usage {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetsInS: number;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly installationAdmin: boolean;
  readonly roles: readonly { readonly organizationId: string; readonly role: string }[];
  readonly state: 'active' | 'invited' | 'disabled';
  readonly lastLoginAt: string | null;
  /** Changes with what they may do. */
  readonly etag: string;
}

export interface DryRun {
  readonly messageType: string;
  readonly controlId: string;
  readonly acknowledgment: string | null;
  readonly problems: readonly Hl7Problem[];
  readonly effects: readonly string[];
  readonly bundle: unknown;
}

/** Where deliveries go, of any exit. */
export interface ExitEndpoint {
  readonly id: string;
  readonly organizationId: string;
  readonly environment: Environment;
  readonly exit: string;
  readonly address: string;
  readonly state: 'active' | 'paused' | 'disabled';
  /** What is wrong and what to do. */
  readonly trouble?: string;
}

export interface InvitedUser extends User {
  readonly setupCode: string;
  readonly setupExpiresAt: string;
}

export interface Figures {
  readonly stepS: number;
  readonly points: readonly FigurePoint[];
}

export interface FigurePoint {
  /** End of the span. */
  readonly at: string;
  /** null: no gateway ran. */
  readonly figures: {
    readonly analysed: number;
    readonly failed: number;
    readonly models: Readonly<Record<string, number>>;
    readonly messagesIn: number;
    readonly messagesRefused: number;
    readonly messagesOut: number;
    readonly attemptsFailed: number;
    readonly queued: number;
    readonly deliveriesWaiting: number;
    readonly deliveriesParked: number;
    readonly quotaUsed: number;
    readonly p50S: number | null;
    readonly p95S: number | null;
  } | null;
}

export interface FhirDryRun {
  readonly kind: 'transaction' | 'batch' | 'resource';
  readonly taken: boolean;
  readonly entries: readonly { readonly index: number; readonly request: string; readonly outcome: string }[];
  readonly analyses: number;
  readonly issues: readonly FhirIssue[];
}

export interface FhirIssue {
  readonly severity: string;
  /** FHIRPath from the pasted resource on. */
  readonly expression: string | null;
  readonly text: string;
}

/** An AuditEvent, as far as the console reads it. */
export interface AuditEvent {
  readonly id: string;
  readonly recorded: string;
  readonly action?: string;
  readonly outcome?: string;
  readonly outcomeDesc?: string;
  readonly subtype?: readonly { readonly code?: string; readonly display?: string }[];
  readonly agent?: readonly {
    readonly who?: { readonly identifier?: { readonly value?: string } };
    readonly type?: { readonly coding?: readonly { readonly code?: string }[] };
    readonly network?: { readonly address?: string };
  }[];
  readonly entity?: readonly {
    readonly what?: { readonly reference?: string; readonly identifier?: { readonly value?: string } };
    readonly role?: { readonly code?: string };
    readonly query?: string;
  }[];
}

export interface AuditBundle {
  readonly link?: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly { readonly resource: AuditEvent }[];
}
