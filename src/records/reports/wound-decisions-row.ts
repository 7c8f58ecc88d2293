import type { ClinicalEventType } from '../../core/followup/clinical-event.js';
import type { ClosureReason, WoundDecision } from '../../core/followup/wound.js';
import type { KnownSeries } from '../../core/report/report.repository.js';

/** What people decided of the wound $3, as JSON; null: nothing. */
export const HISTORY = `select json_agg(row_to_json(event_row)) from (
    select decision, reason, decided_at as "decidedAt" from wound_events where wound_id = $3 order by decided_at, id) event_row`;
/** What was done to the wounds of `family` and stands, as JSON; null: nothing. */
export const TREATMENTS = `select json_agg(row_to_json(treatment_row)) from (
    select type, occurred_at as "occurredAt" from clinical_events
      where wound_id = any (array(select id from family)) and withdrawn_at is null order by occurred_at, id) treatment_row`;

/** As JSON has them. */
export interface HistoryRow {
  readonly history:
    | readonly {
        readonly decision: WoundDecision;
        readonly reason: ClosureReason | null;
        readonly decidedAt: string;
      }[]
    | null;
  readonly treatments: readonly { readonly type: ClinicalEventType; readonly occurredAt: string }[] | null;
}

export function toDecided({ history, treatments }: HistoryRow): Pick<KnownSeries, 'history' | 'treatments'> {
  return {
    history: (history ?? []).map(({ decision, reason, decidedAt }) => ({
      decision,
      reason,
      decidedAt: new Date(decidedAt),
    })),
    treatments: (treatments ?? []).map(({ type, occurredAt }) => ({ type, occurredAt: new Date(occurredAt) })),
  };
}
