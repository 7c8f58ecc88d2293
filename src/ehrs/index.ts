/** What doors and exits ask an EHR with, and by what EHRs know this service. */
export { EhrCaller, NoEhrAnswerError, type EhrAnswer, type EhrCall, type EhrCallRules } from './ehr-caller.js';
export { createdTypes, readCapabilities, type EhrCapabilities, type EhrResource } from './ehr-capabilities.js';
export { EHR_PATIENT, toChartPatient } from './chart-patient.js';
export { EhrKeySets } from './ehr-key-sets.js';
export { EHR_FINDINGS, EhrTrial, PushNeeds, type EhrFinding, type EhrTrialResult } from './ehr-trial.js';
export {
  askSmartConfiguration,
  badAnswer,
  jsonOf,
  readSmartConfiguration,
  type SmartConfiguration,
} from './smart-configuration.js';
export { ASSERTION_TYPE, NoAssertionError, PublishedKeys, type AssertionTerms } from './published-keys.js';
export { ownAddresses, redirectAddress, type OwnAddresses } from './own-addresses.js';
export { PublishedKeysModule } from './published-keys.module.js';
