import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { Transaction } from '../../../core/ports/unit-of-work.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import type { NewMessage } from '../outbox/outbound-message.js';
import { OutboundQueue } from '../outbox/outbound-queue.js';

/** A patient's data that leaves for a destination. */
export interface DisclosedData {
  /** null: only an identifier is known. */
  readonly patientId: string | null;
  /** `Type/id`, in FHIR's words as for every door. */
  readonly resources: readonly string[];
}

/** Puts results into the outbox and records the disclosure: both or neither. */
@Injectable()
export class ResultQueue {
  constructor(
    private readonly queue: OutboundQueue,
    private readonly trail: AuditTrail,
  ) {}

  /** Messages that are queued already are neither queued nor recorded again. In the audit trail the destination takes the place of the key. */
  async enqueue(
    transaction: Transaction,
    destination: Hl7Destination,
    messages: readonly NewMessage[],
    { patientId, resources }: DisclosedData,
  ): Promise<void> {
    if ((await this.queue.enqueueMessages(transaction, destination, messages)) === 0) return;
    const { id, organizationId, environment } = destination;
    const patients = patientId === null ? [] : [patientId];
    await this.trail.record(
      transaction,
      { organizationId, environment, keyId: id, scopes: [] },
      { door: 'hl7v2', interaction: '$send', action: 'R', patients, resources: [...resources] },
    );
  }
}
