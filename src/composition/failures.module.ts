import { Module } from '@nestjs/common';
import { JobRetries } from '../core/analysis/job-retries.js';
import { Exits } from '../core/deliveries/exits.js';
import { FailureRecords, type FailureKind } from '../core/failures/failure-group.js';
import { FailureService, type DoAgain } from '../core/failures/failure.service.js';
import { FailedMessages } from '../doors/admin/hl7v2/operations/failed-messages.js';
import { SqlFailureRecords } from '../records/standing/sql-failure-records.js';
import { Logger } from '../platform/logging/logger.js';
import { CoreModule } from './core.module.js';
import { ExitsModule } from './exits.module.js';
import { passingFaults } from './failure-faults.js';
import { Hl7ReprocessModule } from './hl7v2.module.js';

/** Binds FailureService to what the tables say, and to what does each kind again. */
@Module({
  imports: [CoreModule, ExitsModule, Hl7ReprocessModule],
  providers: [
    { provide: FailureRecords, useClass: SqlFailureRecords },
    {
      provide: FailureService,
      inject: [FailureRecords, FailedMessages, JobRetries, Exits, Logger],
      useFactory: (
        records: FailureRecords,
        messages: FailedMessages,
        jobs: JobRetries,
        exits: Exits,
        logger: Logger,
      ) => {
        const guarded = (kind: FailureKind, again: DoAgain): DoAgain => passingFaults(kind, again, logger);
        const send = (kind: FailureKind): DoAgain =>
          guarded(kind, (_, { id, attempts }, by) => exits.requeue(id, attempts ?? 0, by));
        return new FailureService(records, {
          message: guarded('message', (_, { id }) => messages.again(id)),
          job: guarded('job', async (tenant, { id }) => {
            await jobs.retryLast(tenant, id);
            return null;
          }),
          hl7: send('hl7'),
          webhook: send('webhook'),
          subscription: send('subscription'),
          ehr: send('ehr'),
        });
      },
    },
  ],
  exports: [FailureService],
})
export class FailuresModule {}
