/**
 * An array of all ids of the patients `ids` (SQL: an array of uuid): those given, erased ones too, the records that they were merged into, and all
 * that were merged into these. `mine`: a condition on rows of patients.
 */
export function familyOf(ids: string, mine = 'true'): string {
  const standing = `select coalesce(merged_into, id) from patients where ${mine} and id = any (${ids}::uuid[])`;
  return `array(select unnest(${ids}::uuid[]) union ${standing}
    union select id from patients where ${mine} and merged_into in (${standing}))`;
}

/** An array of the ids of the patients who have a number. `condition` on rows of patient_identifiers. */
export function carriersOf(condition: string): string {
  return `array(select patient_id from patient_identifiers where ${condition})`;
}
