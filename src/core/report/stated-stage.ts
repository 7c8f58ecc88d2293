import { STAGE_SYSTEMS, STAGE_VALUES, type StageValue, type WoundStage } from '../analysis/wound-stage.js';
import type { ClinicalTime } from '../times/clinical-time.js';

/** A stage, and when a person stated it. */
export interface StatedStage {
  readonly stage: WoundStage;
  readonly stated: ClinicalTime;
  /** The report that has it; null: it was stated of the wound, and of no photo. */
  readonly reportId: string | null;
}

/** What lies under a pressure injury that cannot be staged is full-thickness loss at the least. */
const PRESSURE_BY_GRAVITY: readonly StageValue[] = [
  'mucosal',
  '1',
  '2',
  'suspected_deep_tissue_injury',
  '3',
  'unstageable',
  '4',
];

/**
 * Of each classification the stage that was stated last, whenever its photo was taken, the newest first. Of one that a report has and one of the same
 * day that it does not have the graver: neither person need have known of the other.
 */
export function newestOfEach(stages: readonly StatedStage[], timeZone: string): StatedStage[] {
  const msOf = ({ stated }: StatedStage) => stated.spanIn(timeZone).low.getTime();
  const dayOf = ({ stated }: StatedStage) => stated.dayIn(timeZone);
  const newest = STAGE_SYSTEMS.flatMap((system) => {
    const ordered = stages.filter(({ stage }) => stage.system === system).toSorted((a, b) => msOf(a) - msOf(b));
    const last = ordered.at(-1);
    if (last === undefined) return [];
    const elsewhere = ordered.findLast(({ reportId }) => (reportId === null) !== (last.reportId === null));
    const isOfItsDay = elsewhere !== undefined && dayOf(elsewhere) !== null && dayOf(elsewhere) === dayOf(last);
    return isOfItsDay && gravityOf(elsewhere) > gravityOf(last) ? elsewhere : last;
  });
  return newest.toSorted((one, other) => msOf(other) - msOf(one));
}

function gravityOf({ stage: { system, value } }: StatedStage): number {
  const values: readonly StageValue[] = system === 'pressure' ? PRESSURE_BY_GRAVITY : STAGE_VALUES[system];
  return values.indexOf(value);
}
