import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { EhrChart } from './chart/ehr-chart.js';
import { LaunchBegin } from './launch-begin.service.js';
import { LaunchCompletion } from './launch-completion.service.js';
import { LaunchRefusals } from './launch-refusals.js';
import { LaunchController } from './launch.controller.js';
import { AuthorizationServer } from './protocol/authorization-server.js';
import { SmartDiscovery } from './protocol/smart-discovery.js';

/** The door of EHRs that open the review desk. EhrRegister, LaunchStates, EhrCaller and PublishedKeys are global. */
@Module({
  controllers: [LaunchController],
  providers: [SmartDiscovery, AuthorizationServer, EhrChart, LaunchBegin, LaunchCompletion, LaunchRefusals],
})
export class SmartLaunchModule {
  /** The module that provides LaunchOpening. */
  static register(opening: Type): DynamicModule {
    return { module: SmartLaunchModule, imports: [opening] };
  }
}
