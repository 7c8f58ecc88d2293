import { Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../core/ports/clock.js';
import { StandingFacts } from '../core/standing/standing-facts.js';
import { StandingService } from '../core/standing/standing.service.js';
import { bind } from '../platform/bind.js';
import { ProcessReports } from '../records/standing/process-reports.js';
import { SqlStandingFacts } from '../records/standing/sql-standing-facts.js';

/** Binds StandingService to what the tables say. HeldModule is asked for what waits, and is global. */
@Module({
  providers: [{ provide: StandingFacts, useClass: SqlStandingFacts }, bind(StandingService, StandingFacts, Clock)],
  exports: [StandingService],
})
export class StandingModule {}

/** Tells how this process is. Not at the command line, whose process serves nothing. `health`: the one of the application. */
@Module({})
export class ProcessReportsModule {
  static register(health: DynamicModule): DynamicModule {
    return { module: ProcessReportsModule, imports: [health], providers: [ProcessReports] };
  }
}
