import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import type { Transaction } from '../../../../core/ports/unit-of-work.js';
import { stateOf } from '../../../../platform/database/database-fault.js';
import { statementsOf } from '../../../../platform/database/unit-of-work.js';
import { MessageEncryption } from '../../../../standards/hl7v2/encryption/message-encryption.js';
import type { InboundRecord } from './inbound-record.js';
import { storableProblems } from './inbound-rows.js';
import type { Conclusion } from './written-conclusions.js';

/** Never in work meanwhile: what is written stands where the message is as it was read, and nothing of it was erased. */
const CONCLUDE = `with concluded as (update hl7_inbound set state = $5, retryable = false, ack_code = $6, ack = $7, problems = $8,
    analysis_ids = (select coalesce(array_agg(distinct known), '{}') from unnest(analysis_ids || $9::uuid[]) known),
    pointed_image_ids = pointed_image_ids || $10::uuid[], said_versions = said_versions || $11::text[], replays = replays + 1, processed_at = sutura_now()
  where id = $1 and state = $2 and replays = $3 and attempts = $4 and erased = '[]' returning id) select 1 / count(*) from concluded`;
const DIVISION_BY_ZERO = '22012';

/** The outcomes of messages that were read once more. */
@Injectable()
export class ReprocessedMessages {
  constructor(private readonly encryption: MessageEncryption) {}

  /** Leaves with the commit, which fails with `hl7.in_progress` where the message was changed meanwhile. */
  conclude(
    transaction: Transaction,
    { id, state, replays, attempts }: InboundRecord,
    conclusion: Omit<Conclusion, 'retryable'> & { readonly saidVersions: readonly string[] },
  ): void {
    const { ack } = conclusion;
    const values = [
      id,
      state,
      replays,
      attempts,
      conclusion.state,
      conclusion.ackCode,
      ack === null ? null : this.encryption.seal(ack, id),
      storableProblems(conclusion.problems),
      [...conclusion.analysisIds],
      [...conclusion.pointedImageIds],
      [...conclusion.saidVersions],
    ];
    statementsOf(transaction).sendPrepared(CONCLUDE, values, (error) =>
      stateOf(error) === DIVISION_BY_ZERO ? new SuturaError('hl7.in_progress') : error,
    );
  }
}
