import { Module } from '@nestjs/common';
import { JobRetries } from '../core/analysis/job-retries.js';
import { Exits } from '../core/deliveries/exits.js';
import { FailureRecords } from '../core/failures/failure-group.js';
import { FailureService, type DoAgain } from '../core/failures/failure.service.js';
import { FailedMessages } from '../doors/admin/hl7v2/operations/failed-messages.js';
import { SqlFailureRecords } from '../records/standing/sql-failure-records.js';
import { CoreModule } from './core.module.js';
import { ExitsModule } from './exits.module.js';
import { Hl7ReprocessModule } from './hl7v2.module.js';

/** Binds FailureService to what the tables say, and to what does each kind again. */
@Module({
  imports: [CoreModule, ExitsModule, Hl7ReprocessModule],
  providers: [
    { provide: FailureRecords, useClass: SqlFailureRecords },
    {
      provide: FailureService,
      inject: [FailureRecords, FailedMessages, JobRetries, Exits],
      useFactory: (records: FailureRecords, messages: FailedMessages, jobs: JobRetries, exits: Exits) => {
        const send: DoAgain = (_, id, by) => exits.requeue(id, by);
        return new FailureService(records, {
          message: (_, id) => messages.again(id),
          job: async (tenant, id) => {
            await jobs.retry(tenant, id);
            return null;
          },
          hl7: send,
          webhook: send,
          subscription: send,
          ehr: send,
        });
      },
    },
  ],
  exports: [FailureService],
})
export class FailuresModule {}
