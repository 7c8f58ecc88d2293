import { Injectable } from '@nestjs/common';
import { IdSource } from '../../../core/ports/id-source.js';
import { UnitOfWork, type Transaction } from '../../../core/ports/unit-of-work.js';
import { SystemStatements } from '../../../platform/database/statements.js';
import type { FiledPart } from '../dialects/filing.js';
import type { KeptResource } from './kept-resource.js';
import { LATER_COUNTS, settleBefore, WriteLedger } from './write-ledger.js';
import {
  DeliveryControl,
  DeliveryQueue,
  LeasedDeliveries,
  PLAIN_BODIES,
  type ClaimResult,
  type DeliveryBatch,
  type EndpointLease,
  type KeptHistory,
  type SendingOrder,
  type QueueDefinition,
} from '../../kit/index.js';

/** Columns that a delivery to an EHR has beside those of every delivery. */
export interface EhrColumns {
  readonly part: FiledPart;
  readonly reportId: string;
  readonly version: number;
  readonly history: KeptHistory;
  /** A write was sent that may stand, or be carried out yet. */
  readonly unsettled: boolean;
  /** null: not filed yet. */
  readonly filed: readonly KeptResource[] | null;
}

const WRONG_STATE = { code: 'ehr.delivery_state' } as const;

/** The queue of results for EHRs. The subject of a delivery is a part of a report, so that each version of it is filed once. */
export const EHR_QUEUE: QueueDefinition<EhrColumns> = {
  deliveries: 'ehr_deliveries',
  endpoints: 'ehrs',
  senders: 'ehr_senders',
  endpointId: 'ehr_id',
  body: 'body',
  ownColumns: {
    part: 'type',
    reportId: 'report_id',
    version: 'version',
    history: 'history',
    unsettled: 'unsettled',
    filed: 'filed',
  },
  attemptColumns: ['held_for', 'answer_codes'],
  answerColumns: ['held_for', 'answer_codes'],
  laterCounts: LATER_COUNTS,
  channel: 'sutura_ehrs_out',
  errors: {
    notFound: { code: 'delivery.not_found' },
    waits: WRONG_STATE,
    notWaiting: WRONG_STATE,
    notParked: WRONG_STATE,
    superseded: { code: 'ehr.superseded' },
    endpointDeleted: { code: 'ehr.not_found' },
    wrongEndpoint: WRONG_STATE,
    alreadyThere: WRONG_STATE,
    sealed: WRONG_STATE,
  },
};

/** Bodies are ids alone: what is filed is read when it is sent. */
@Injectable()
export class EhrQueue extends DeliveryQueue<EhrColumns> {
  constructor(ids: IdSource) {
    super(EHR_QUEUE, PLAIN_BODIES, ids);
  }

  override async enqueueAll(transaction: Transaction, batches: readonly DeliveryBatch[]): Promise<number> {
    for (const { endpoint, deliveries } of batches)
      if (deliveries.length > 0) await settleBefore(transaction, endpoint.id);
    return super.enqueueAll(transaction, batches);
  }
}

/** What people do with single deliveries. */
@Injectable()
export class EhrControl extends DeliveryControl<EhrColumns> {
  constructor(statements: SystemStatements, unitOfWork: UnitOfWork, queue: EhrQueue) {
    super(EHR_QUEUE, statements, unitOfWork, queue, PLAIN_BODIES);
  }
}

/** Deliveries as their senders use them. That one is filed was written down with its answer, by the ledger alone: nothing is added here. */
@Injectable()
export class EhrDeliveries extends LeasedDeliveries<EhrColumns> {
  constructor(
    statements: SystemStatements,
    private readonly writes: WriteLedger,
  ) {
    super(EHR_QUEUE, statements, PLAIN_BODIES);
  }

  override async hold(lease: EndpointLease, leaseMs: number): Promise<boolean> {
    const isHeld = await super.hold(lease, leaseMs);
    if (isHeld) await this.writes.settleIn(lease.endpointId, lease.token);
    return isHeld;
  }

  override delivered(): Promise<void> {
    return Promise.resolve();
  }

  override deliveredThenNext(lease: EndpointLease, order: SendingOrder): Promise<ClaimResult<EhrColumns>> {
    return this.next(lease, order);
  }
}
