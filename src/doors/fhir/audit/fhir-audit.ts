import { Injectable } from '@nestjs/common';
import type { Resource } from '@medplum/fhirtypes';
import type { Access, AuditAction } from '../../../core/audit/access.js';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { Caller } from '../../../core/tenancy/api-key.js';
import type { FhirCall } from '../call/fhir-call.js';
import { elementsOf } from '../../../standards/fhir/types/elements.js';

/** R4 restful-interaction codes, and operations by their name with its `$`. */
export type AuditedInteraction = keyof typeof ACTIONS | `$${string}`;

const ACTIONS = {
  read: 'R',
  vread: 'R',
  'history-instance': 'R',
  'history-type': 'R',
  'history-system': 'R',
  'search-type': 'R',
  create: 'C',
  update: 'U',
  patch: 'U',
  delete: 'D',
  transaction: 'E',
  batch: 'E',
} as const satisfies Record<string, AuditAction>;

/** The resources that an interaction touched. */
export interface Touched {
  /** Resources that were shown or written. */
  readonly resources?: readonly Resource[];
  /** `Type/id` of targets without a resource to look at, such as the bytes of a Binary. */
  readonly references?: readonly string[];
  /** The query of a search as it was sent, without its `?`; the resources then only say whose they are. */
  readonly query?: string;
  /** Ids of patients whom it is about beside those of the resources. */
  readonly patients?: readonly string[];
}

type AuditedCall = Pick<FhirCall, 'transaction' | 'caller' | 'requestId' | 'door'>;

/** Writes interactions with resources, of the FHIR door and of those that use it inside, into the audit trail, in their own transaction. */
@Injectable()
export class FhirAudit {
  constructor(private readonly trail: AuditTrail) {}

  /** `service.unavailable` if the access cannot be recorded: then nothing may be answered or stored. */
  record(call: AuditedCall, interaction: AuditedInteraction, touched: Touched): Promise<void> {
    return this.recordAll([{ call, interaction, touched }]);
  }

  /** The same for several calls of one transaction. */
  async recordAll(
    interactions: readonly {
      readonly call: AuditedCall;
      readonly interaction: AuditedInteraction;
      readonly touched: Touched;
    }[],
  ): Promise<void> {
    const [first] = interactions;
    if (first === undefined) return;
    await this.trail.recordAll(
      first.call.transaction,
      interactions.map(({ call, interaction, touched }) => ({
        caller: callerOf(call),
        access: accessOf(call, interaction, touched),
      })),
    );
  }
}

function callerOf({ caller, requestId }: AuditedCall): Caller {
  const origin = caller.origin ?? { requestId, address: '' };
  return { ...caller, origin: { ...origin, requestId } };
}

function accessOf(
  { door = 'fhir' }: AuditedCall,
  interaction: AuditedInteraction,
  { resources = [], references = [], query, patients = [] }: Touched,
): Access {
  const named =
    query === undefined
      ? resources.flatMap(({ resourceType, id }) => (id === undefined ? [] : [`${resourceType}/${id}`]))
      : [];
  return {
    door,
    interaction,
    action: interaction in ACTIONS ? ACTIONS[interaction as keyof typeof ACTIONS] : 'E',
    patients: [...new Set([...resources.flatMap(patientsOf), ...patients])],
    resources: [...new Set([...named, ...references])],
    ...(query === undefined ? {} : { query }),
  };
}

/** The ids of the patients that a resource is about. */
export function patientsOf(resource: Resource): string[] {
  if (resource.resourceType === 'Patient') return resource.id === undefined ? [] : [resource.id];
  if (resource.resourceType === 'Bundle')
    return (resource.entry ?? []).flatMap(({ resource: inner }) => (inner === undefined ? [] : patientsOf(inner)));
  const {
    subject,
    patient,
    for: beneficiary,
    securityContext,
  } = elementsOf(resource) as Readonly<Record<string, { readonly reference?: unknown } | undefined>>;
  return [subject, patient, beneficiary, securityContext].flatMap((reference) => {
    const id =
      typeof reference?.reference === 'string'
        ? /^Patient\/([A-Za-z0-9.-]{1,64})(?:\/_history\/|$)/.exec(reference.reference)?.[1]
        : undefined;
    return id === undefined ? [] : [id];
  });
}
