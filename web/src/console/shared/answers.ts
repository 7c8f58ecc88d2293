/** Answers of the gateway by the names that the console gives them: the gateway's own types, which are erased. */
export type { Environment } from '../../../../src/core/tenancy/tenant.js';
export type {
  DeliveryDetailView as DeliveryDetail,
  DeliveryView as Delivery,
  EndpointView as Endpoint,
} from '../../../../src/doors/admin/deliveries/deliveries.views.js';
export type { EhrTrialView as EhrTrial, EhrView as Ehr } from '../../../../src/doors/admin/ehrs/ehrs.views.js';
export type { FiguresView as Figures } from '../../../../src/doors/admin/figures/figures.views.js';
export type { DryRunView as DryRun } from '../../../../src/doors/admin/hl7v2/operations/dry-run.views.js';
export type {
  DestinationView as Destination,
  ListenerView as Listener,
  ListedMessageView as Message,
  ShownMessageView as MessageDetail,
} from '../../../../src/doors/admin/hl7v2/operations/hl7.views.js';
export type {
  KeyView as ApiKey,
  OrganizationView as Organization,
  UsageView as Usage,
} from '../../../../src/doors/admin/organizations/tenancy.views.js';
export type {
  TraceEventView as TraceEvent,
  TraceView as Trace,
} from '../../../../src/doors/admin/trace/trace.views.js';
export type {
  InvitedUserView as InvitedUser,
  SessionView as Session,
  UserView as User,
} from '../../../../src/doors/admin/users/users.views.js';
export type {
  ForReviewView as ForReview,
  InCareView as InCare,
} from '../../../../src/doors/admin/reviewing/reviewing.views.js';
export type { Concern } from '../../../../src/core/report/concern.js';
export type {
  ConnectionsView as Connections,
  ConnectionView as Connection,
  FindingView as Finding,
  StandingView as Standing,
} from '../../../../src/doors/admin/standing/standing.views.js';
export type {
  FailureGroupView as FailureGroup,
  FailuresView as Failures,
  RetriedView as Retried,
} from '../../../../src/doors/admin/failures/failures.views.js';
export type { StandingPart } from '../../../../src/core/standing/standing-parts.js';
export type { HeldView as HeldItem } from '../../../../src/doors/admin/held/held.views.js';
export type { HeldAction, HeldReason } from '../../../../src/core/held/held-item.js';
export type {
  DryRunIssue as FhirIssue,
  FhirDryRunView as FhirDryRun,
} from '../../../../src/doors/fhir/records/dry-run.views.js';
import type { AuditEvent, Bundle } from '@medplum/fhirtypes';
import type { FiguresView } from '../../../../src/doors/admin/figures/figures.views.js';
import type { DryRunView } from '../../../../src/doors/admin/hl7v2/operations/dry-run.views.js';

export type Hl7Problem = DryRunView['problems'][number];
export type FigurePoint = FiguresView['points'][number];

export type { AuditEvent };
export type AuditBundle = Bundle<AuditEvent>;

/** Of every list. */
export interface Items<T> {
  readonly items: readonly T[];
}
