/** What the composition and those who administer EHRs use. */
export { DialectNeeds, DialectRules } from './dialect-needs.js';
export { EhrExit } from './ehr-exit.js';
export { EhrPushCommandsModule, EhrPushErasureModule, EhrPushModule, EhrPushRestoreModule } from './ehr-push.module.js';
export { EhrResults } from './events/ehr-results.handler.js';
export { EhrSenders } from './sender/ehr-senders.js';
export { PushRegister } from './queue/push-register.js';
export { WriteLedger } from './queue/write-ledger.js';
export { SqlPushCounts } from './queue/sql-push-counts.js';
export { HOLDS, type Hold } from './settings/holds.js';
