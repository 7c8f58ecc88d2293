/** What the composition and those who administer EHRs use. */
export { EhrExit } from './ehr-exit.js';
export { EhrPushCommandsModule, EhrPushErasureModule, EhrPushModule } from './ehr-push.module.js';
export { EhrResults } from './events/ehr-results.handler.js';
export { EhrSenders } from './sender/ehr-senders.js';
export { faultsOfPush } from './dialects/dialects.js';
export { PushAssertions } from './calls/push-assertions.js';
export { PushCheck, type PushFinding } from './push-check.js';
export { PushRegister, type PushCounts } from './queue/push-register.js';
export { toPushing, type PushingEhr } from './settings/pushing-ehr.js';
