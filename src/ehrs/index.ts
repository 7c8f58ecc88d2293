/** What doors and exits ask an EHR with. */
export { EhrCaller, NoEhrAnswerError, type EhrAnswer, type EhrCall, type EhrCallRules } from './ehr-caller.js';
export { EhrsModule } from './ehrs.module.js';
