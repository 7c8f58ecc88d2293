import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { EhrRegister } from '../../core/ehrs/ehr.register.js';
import { EhrTokenLedger } from '../../core/ehrs/ehr-token.ledger.js';
import { Clock } from '../../core/ports/clock.js';
import { EhrKeySets } from '../../ehrs/index.js';
import { LaunchThrottle } from '../../identity/index.js';
import { bind } from '../../platform/bind.js';
import { CdsCallers } from './cds-callers.js';
import { CdsCards } from './cds-cards.service.js';
import { CdsHooksController } from './cds-hooks.controller.js';

/** The door of CDS Hooks. Core's services and those of EHRs, the platform and identity are global. */
@Module({
  controllers: [CdsHooksController],
  providers: [bind(CdsCallers, EhrRegister, EhrKeySets, EhrTokenLedger, Clock, LaunchThrottle), CdsCards],
})
export class CdsModule {
  /** The module that provides ChartPatients. */
  static register(patients: Type): DynamicModule {
    return { module: CdsModule, imports: [patients] };
  }
}
