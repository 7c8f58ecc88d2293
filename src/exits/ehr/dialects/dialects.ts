import type { EhrDialect, EhrPush } from '../../../core/ehrs/ehr.js';
import { EPIC } from './epic.js';
import type { Dialect, Need } from './filing.js';
import { ISIK } from './isik.js';
import { ORACLE } from './oracle.js';
import { photoFaults } from './settings-faults.js';
import { TRANSACTION } from './transaction.js';
import { US_CORE_NOTE } from './us-core-note.js';

export const DIALECTS: Readonly<Record<EhrDialect, Dialect>> = {
  transaction: TRANSACTION,
  'us-core-note': US_CORE_NOTE,
  epic: EPIC,
  oracle: ORACLE,
  isik: ISIK,
};

/** Why nothing could be filed by these settings, or not all that they ask for, in sentences; empty: they go together. */
export function faultsOfPush(push: EhrPush): readonly string[] {
  return [...photoFaults(push), ...DIALECTS[push.dialect].faultsOf(push)];
}

/** What the server must be able to do for these settings. */
export function needsOfPush(push: EhrPush): readonly Need[] {
  return DIALECTS[push.dialect].needsOf(push);
}
