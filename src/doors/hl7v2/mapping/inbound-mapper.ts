import { Injectable } from '@nestjs/common';
import { inTurns } from '../../../platform/turns/turns.js';
import { readingFilesOf } from '../../../standards/hl7v2/er7/encapsulated-data.js';
import type { Er7Message, MessageHeader } from '../../../standards/hl7v2/er7/er7-message.js';
import { planDocumentCancel } from './messages/document-cancel.mapper.js';
import { planDocumentMessage } from './messages/document-message.mapper.js';
import { headerProblems } from './header-check.js';
import type { EarlierHandling } from './reading/earlier-handling.js';
import type { Hl7Source } from './reading/hl7-source.js';
import type { InboundPlan } from './plan/inbound-plan.js';
import { messageKindOf, type MessageKind } from './message-kinds.js';
import { tooManyOrders } from './reading/order-groups.js';
import { UNSETTLED, type Reading, type SettledIdentity } from './reading/message-reading.js';
import type { RecordLookups } from '../../../standards/hl7v2/records/clinical-records.js';
import { planOrders } from './messages/order-message.mapper.js';
import { planAnnouncement, planMerges } from './messages/patient-message.mapper.js';
import { repeatedSegments } from './repeated-segments.js';
import { PlanDraft } from './plan/plan-draft.js';
import { planResults } from './messages/result-message.mapper.js';

/** The planner of each kind of message; null: it is kept or refused, without effect. */
const PLANNERS: Readonly<Record<MessageKind, ((reading: Reading) => Promise<void>) | null>> = {
  results: planResults,
  order: planOrders,
  document: planDocumentMessage,
  document_cancel: planDocumentCancel,
  patient: planAnnouncement,
  merge: planMerges,
  kept: null,
  answer: null,
  unknown_type: null,
  unknown_event: null,
};

/** Maps messages to FHIR: a plan of what each asks for, made before anything is changed. */
@Injectable()
export class InboundMapper {
  /** `earlier`: what became of the message before. Never throws for the content of the message: its faults are in `problems`. Faults of `records` are thrown. */
  async plan(
    message: Er7Message,
    header: MessageHeader,
    source: Hl7Source,
    records: RecordLookups,
    settled: SettledIdentity = UNSETTLED,
    earlier: EarlierHandling | null = null,
  ): Promise<InboundPlan> {
    const crowded = tooManyOrders(message);
    const problems = [...headerProblems(header, source), ...(crowded === null ? [] : [crowded])];
    if (problems.length > 0)
      return {
        bundle: null,
        places: [],
        joins: [],
        waitingOrders: [],
        newPhotos: [],
        newOrders: [],
        conflicts: [],
        problems,
        orders: [],
      };
    await inTurns(readingFilesOf(message));
    const kind = messageKindOf(header);
    const repeated = repeatedSegments(message, kind);
    const draft = new PlanDraft(repeated);
    if (!draft.isRefused) await PLANNERS[kind]?.({ message, header, source, records, draft, settled, earlier });
    return draft.toPlan();
  }
}
