import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ErasedRows, ErasedPatient } from './patient-record.js';
import type { PatientRecords, TypedText } from './patient-records.js';
import { ERASED_WORDS, isOwnResource, needlesOf, queryNames, textNames } from './typed-words.js';

const AT_ONCE = 1000;
const FIRST_ID = '0';

/** Takes the words of a patient out of what callers typed, where the audit trail keeps it: searches, ids of their own. */
export class TypedWordsErasure {
  constructor(private readonly patients: PatientRecords) {}

  /** `erasureId` null: only counts. */
  async erase(transaction: TenantTransaction, patient: ErasedPatient, erasureId: string | null): Promise<ErasedRows> {
    const needles = needlesOf(patient.words);
    let rows = 0;
    for (let after = FIRST_ID; ;) {
      const page = await this.patients.typedTexts(transaction, { patient, needles, after, limit: AT_ONCE });
      const changed = page.flatMap((text) => withoutWords(text, needles));
      rows += changed.length;
      if (erasureId !== null && changed.length > 0) await this.patients.redact(transaction, erasureId, changed);
      if (page.length < AT_ONCE) return { what: 'texts in the audit trail', rows, bytes: 0 };
      after = page.at(-1)!.id;
    }
  }
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
