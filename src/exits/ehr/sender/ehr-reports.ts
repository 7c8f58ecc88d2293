import { Injectable } from '@nestjs/common';
import { Logger } from '../../../platform/logging/logger.js';
import { LoggedReports, type DueDelivery, type Outcome, type Verdict } from '../../kit/index.js';
import type { EhrColumns } from '../queue/ehr-queue.js';
import type { EhrEndpoint, EhrOutcome } from './ehr-transport.js';
import { EhrMetrics } from './ehr.metrics.js';

/** Log lines and figures of senders: codes and ids alone. */
@Injectable()
export class EhrReports extends LoggedReports<EhrEndpoint, EhrColumns, EhrOutcome> {
  constructor(
    logger: Logger,
    private readonly metrics: EhrMetrics,
  ) {
    super(logger, {
      endpointId: 'ehrId',
      silent: 'ehr.silent',
      answersAgain: 'ehr.answers_again',
      senderFailed: 'ehr.sender_failed',
      endpointsUnknown: 'ehr.registrations_unknown',
    });
  }

  attempted(
    { id: ehrId }: EhrEndpoint,
    { id: deliveryId, part }: DueDelivery<EhrColumns>,
    outcome: Outcome<EhrOutcome>,
    verdict: Verdict['kind'],
  ): void {
    this.metrics.attempted(ehrId, codeOf(outcome));
    if (verdict === 'delivered' || outcome.kind === 'silent') return;
    const { hold, codes } = outcome.answer;
    const details = { ehrId, deliveryId, part, code: hold ?? codes[0] ?? '', codes: codes.join(' ') };
    if (verdict === 'parked') this.logger.error('ehr.held', details);
    else this.logger.warn('ehr.refused', details);
  }

  /** Bodies are not sealed. */
  sealed({ id: ehrId }: EhrEndpoint, { id: deliveryId }: { readonly id: string }): void {
    this.logger.error('ehr.sealed', { ehrId, deliveryId });
  }
}

function codeOf(outcome: Outcome<EhrOutcome>): string {
  if (outcome.kind === 'silent') return 'none';
  return outcome.meaning === 'accepted' ? 'filed' : (outcome.answer.hold ?? outcome.answer.codes[0] ?? 'none');
}
