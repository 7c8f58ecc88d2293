import { CLINICAL_EVENT_TYPES } from '../../../core/followup/clinical-event.js';
import { EVENT, FINDING_CODES, FINDING_LOINC, OBSERVABLE } from '../../../reports/index.js';
import { ORDER_CONTROLS } from './messages/order-message.mapper.js';
import { SEXES } from './resources/patient.mapper.js';
import type { MappedField } from './reading/mapped-fields.js';
import { RESULT_STATUSES, WOUND_EVENT, WOUND_FACTS } from './reading/observation-rows.js';

/** The codes that a listener's maps may name: what is read of each field. */
export const CODE_TARGETS: Readonly<Record<MappedField, readonly string[]>> = {
  'PID-8': SEXES,
  'OBR-4': [OBSERVABLE.panel.code],
  'OBX-3': [...WOUND_FACTS, WOUND_EVENT, ...FINDING_LOINC, ...FINDING_CODES.keys()],
  'OBX-11': RESULT_STATUSES,
  'ORC-1': ORDER_CONTROLS,
  'PR1-3': CLINICAL_EVENT_TYPES.map((type) => EVENT[type].code),
};
