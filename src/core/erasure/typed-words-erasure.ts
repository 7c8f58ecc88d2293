import type { ArchivedText, AuditArchives } from '../audit/audit-archive.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ErasedRows, ErasedPatient } from './patient-record.js';
import type { PatientRecords, TypedText } from './patient-records.js';
import { ERASED_WORDS, isOwnResource, needlesOf, queryNames, textNames } from './typed-words.js';

const AT_ONCE = 1000;
const FIRST_ID = '0';
/** Those of callers. */
const DOORS: readonly string[] = ['rest', 'fhir', 'hl7v2'];

/** Takes the words of a patient out of what callers typed, where the audit trail keeps it: searches, ids of their own. */
export class TypedWordsErasure {
  constructor(
    private readonly patients: PatientRecords,
    private readonly archives: Pick<AuditArchives, 'redact'>,
  ) {}

  /**
   * `erasureId` null: only counts. The folders of archives that were written anew: theirs go with the bytes. `patient.in_use` while an archive is
   * written.
   */
  async erase(
    transaction: TenantTransaction,
    patient: ErasedPatient,
    erasureId: string | null,
  ): Promise<{ readonly count: ErasedRows; readonly folders: readonly string[] }> {
    const needles = needlesOf(patient.words);
    const archived = await this.archives.redact(transaction, (row) => redactedText(row, patient, needles), erasureId);
    let rows = 0;
    for (let after = FIRST_ID; ;) {
      const page = await this.patients.typedTexts(transaction, { patient, needles, after, limit: AT_ONCE });
      const changed = page.flatMap((text) => withoutWords(text, needles));
      rows += changed.length;
      if (erasureId !== null && changed.length > 0) await this.patients.redact(transaction, erasureId, changed);
      if (page.length < AT_ONCE) {
        // A row that is in both is counted twice: it is in two places.
        const count = { what: 'texts in the audit trail', rows: rows + archived.rows, bytes: 0 };
        return { count, folders: archived.folders };
      }
      after = page.at(-1)!.id;
    }
  }
}

/** As `PatientRecords.typedTexts` chooses them: erasures say of themselves what they did. */
function redactedText(row: ArchivedText, { patientIds }: ErasedPatient, needles: readonly string[]): TypedText | null {
  if (row.interaction === '$erase') return null;
  const isOwn = row.patientId !== null && patientIds.includes(row.patientId) && DOORS.includes(row.door);
  return withoutWords({ ...row, isOwn }, needles)[0] ?? null;
}

/** The row without a word that was typed, where it has one of the patient's: a later erasure then finds nothing in it. */
function withoutWords(text: TypedText, needles: readonly string[]): TypedText[] {
  const { id, query, isOwn } = text;
  const isNamed =
    (query !== null && query !== ERASED_WORDS && (isOwn || queryNames(query, needles))) ||
    text.resources.some((one) => !isOwnResource(one) && textNames(one, needles));
  if (!isNamed) return [];
  const resources = text.resources.map((one) => (isOwnResource(one) ? one : ERASED_WORDS));
  return [{ id, query: query === null ? null : ERASED_WORDS, resources, isOwn }];
}
