import type { ClinicalEventType } from '../../core/followup/clinical-event.js';
import type { RelationKind } from '../../core/followup/wound-relation.js';
import type { ClosureReason, WoundDecision } from '../../core/followup/wound.js';
import type { KnownSeries } from '../../core/report/report.repository.js';

/** What people decided of the wound $3, as JSON; null: nothing. */
export const HISTORY = `select json_agg(row_to_json(event_row)) from (
    select decision, reason, decided_at as "decidedAt" from wound_events where wound_id = $3 order by decided_at, id) event_row`;
/** What was done to the wounds of `family` and stands, as JSON; null: nothing. */
export const TREATMENTS = `select json_agg(row_to_json(treatment_row)) from (
    select type, occurred_at as "occurredAt" from clinical_events
      where wound_id = any (array(select id from family)) and withdrawn_at is null order by occurred_at, id) treatment_row`;

/** The relations of the wounds of `family` that stand, as JSON; null: none. */
export const RELATIONS = `select json_agg(row_to_json(relation_row)) from (
    select kind, whole_id as "wholeId", at, json_agg(part_id order by part_id) as "partIds" from wound_relations
      where withdrawn_at is null and id = any (array(
        select id from wound_relations where whole_id = any (array(select id from family)) or part_id = any (array(select id from family))))
      group by id, kind, whole_id, at order by at, id) relation_row`;

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
  readonly relations:
    | readonly {
        readonly kind: RelationKind;
        readonly wholeId: string;
        readonly partIds: readonly string[];
        readonly at: string;
      }[]
    | null;
}

export function toDecided({
  history,
  treatments,
  relations,
}: HistoryRow): Pick<KnownSeries, 'history' | 'treatments' | 'relations'> {
  return {
    history: (history ?? []).map(({ decision, reason, decidedAt }) => ({
      decision,
      reason,
      decidedAt: new Date(decidedAt),
    })),
    treatments: (treatments ?? []).map(({ type, occurredAt }) => ({ type, occurredAt: new Date(occurredAt) })),
    relations: (relations ?? []).map(({ at, ...relation }) => ({ ...relation, at: new Date(at) })),
  };
}
