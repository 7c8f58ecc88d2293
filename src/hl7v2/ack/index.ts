export {
  acknowledgmentModeOf,
  isAsked,
  type AcknowledgmentCondition,
  type AcknowledgmentMode,
} from './acknowledgment-mode.js';
export {
  acceptCodeOf,
  applicationCodeOf,
  isPositive,
  type AcceptCode,
  type AcknowledgmentCode,
  type ApplicationCode,
} from './acknowledgment-code.js';
export {
  buildAcknowledgment,
  newAcknowledgmentId,
  type AcknowledgedMessage,
  type Acknowledgment,
} from './acknowledgment.js';
export { responseTypeOf, type OrderAnswer } from './order-answers.js';
export { problemsOf } from './record-faults.js';
