import { Injectable } from '@nestjs/common';
import type { Er7Message, MessageHeader } from '../er7/er7-message.js';
import type { ClinicalRecords } from '../records/clinical-records.js';
import type { Hl7Source } from './hl7-source.js';
import type { InboundPlan } from './inbound-plan.js';

/** What a plan is made from besides the message. */
export type RecordLookups = Pick<ClinicalRecords, 'findByIdentifier' | 'read'>;

/** Messages in the words of FHIR: what each asks for, found out before anything is changed. */
@Injectable()
export class InboundMapper {
  /** Never throws for what the message holds: that is in `problems`. Faults of `records` are thrown. */
  plan(message: Er7Message, header: MessageHeader, source: Hl7Source, records: RecordLookups): Promise<InboundPlan> {
    void [message, header, source, records];
    return Promise.resolve({ bundle: null, places: [], joins: [], problems: [], orders: [] });
  }
}
