import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/ports/audit-trail.js';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { Hl7Destination } from '../hl7-destination.js';

/** A patient's data that leaves for a destination. */
export interface Disclosed {
  /** null: only an identifier is known. */
  readonly patientId: string | null;
  /** `Type/id`, in FHIR's words as for every door. */
  readonly resource: string;
}

/** Writes down what was given to whom. The destination stands where other accesses have their key. */
@Injectable()
export class Disclosures {
  constructor(private readonly trail: AuditTrail) {}

  /** In the transaction that puts the message into the outbox: both or neither. */
  record(
    transaction: Transaction,
    { id, organizationId, environment }: Hl7Destination,
    { patientId, resource }: Disclosed,
  ): Promise<void> {
    const patients = patientId === null ? [] : [patientId];
    return this.trail.record(
      transaction,
      { organizationId, environment, keyId: id, scopes: [] },
      { door: 'hl7v2', interaction: '$send', action: 'R', patients, resources: [resource] },
    );
  }
}
