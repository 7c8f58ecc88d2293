import { Injectable } from '@nestjs/common';
import { endedBy, isWithdrawn, writesOf, type FiledPart, type FiledResource } from '../dialects/filing.js';
import { FiledLedger, type KeptResource, type LedgerEntry } from '../queue/filed-ledger.js';
import { HeldError } from '../settings/holds.js';
import type { FilingTurn } from './filing-turn.js';
import { isInError, Looks } from './looks.js';
import { PeopleFinder } from './people-finder.js';
import { ReportFacts, type VersionToFile } from './report-facts.js';
import { subjectOf } from './subject.js';

/** What stands in an EHR of a report: by the ledger, by a look where that does not know, and in whose chart. */
@Injectable()
export class Standings {
  constructor(
    private readonly ledger: FiledLedger,
    private readonly facts: ReportFacts,
    private readonly looks: Looks,
    private readonly people: PeopleFinder,
  ) {}

  /**
   * Of earlier versions of the part, each resource once, oldest first. `today`: who has the patient's number now; null: nobody, or several.
   * `ehr_outcome_unknown`, `ehr_patient_changed`.
   */
  async before(
    part: FiledPart,
    round: VersionToFile,
    today: string | null,
    turn: FilingTurn,
  ): Promise<readonly FiledResource[]> {
    const { id: reportId, version } = round.local.report;
    const standing = new Map<string, FiledResource>();
    for (const entry of await this.ledger.before(turn.ehr.id, { part, reportId, version }))
      for (const one of await this.left(entry, round, [...standing.values()], turn)) {
        const key = `${one.type}/${one.id}`;
        // Newer ones come last, as nothing is held back that was filed later.
        standing.delete(key);
        if (one.ended !== 'entered-in-error')
          standing.set(key, { ...one, isSuperseded: one.ended === 'superseded', version: entry.version });
      }
    const charted = [];
    for (const one of standing.values()) charted.push(await this.charted(one, round, today, turn));
    return charted.filter((one) => one !== null);
  }

  /** What attempts of this delivery left in another chart than the one where it goes now. As `before`. */
  async elsewhere(
    part: FiledPart,
    round: VersionToFile,
    before: readonly FiledResource[],
    patient: string,
    turn: FilingTurn,
  ): Promise<readonly KeptResource[]> {
    const { isUnsettled, patient: written } = turn.earlier;
    if (!isUnsettled || written === null || written === patient) return [];
    const { version } = round.local.report;
    const entry = { part, version, filed: [], isUnclear: true, patient: written };
    const left: KeptResource[] = [];
    for (const one of await this.left(entry, round, before, turn)) {
      const there = await this.charted({ ...one, version, isSuperseded: false }, round, patient, turn);
      if (there !== null) left.push({ ...one, patient: there.patient });
    }
    return left;
  }

  /** What a delivery left in the EHR. Where nobody knows, it is looked for in the chart where it went. */
  private async left(
    { part, version, filed, isUnclear, patient }: LedgerEntry,
    round: VersionToFile,
    before: readonly FiledResource[],
    turn: FilingTurn,
  ): Promise<readonly Left[]> {
    if (!isUnclear) return filed.flatMap(({ id, ...one }) => (id === null ? [] : [{ ...one, id }]));
    const report = round.local.versions.find((one) => one.version === version);
    if (report === undefined || patient === null) throw new HeldError('ehr_outcome_unknown');
    const then = { ...round, local: { ...round.local, report } };
    const encounter = await this.encounterOf(then, patient, turn);
    const facts = await this.facts.of(part, then, { patient, encounter, author: null, before });
    const found: Left[] = [];
    for (const write of writesOf(round.dialect.filingOf(part, facts))) {
      const there = await this.looks.done(write, turn);
      const ended = endedBy(write);
      if (there !== null)
        found.push({ part: write.part, ...there, patient, ...(ended === undefined ? {} : { ended }) });
    }
    return found;
  }

  /** In which a note is looked for; null: in the whole chart. */
  private async encounterOf(
    { local, ehr }: VersionToFile,
    patient: string,
    { signal }: FilingTurn,
  ): Promise<string | null> {
    try {
      return await this.people.encounterOf(ehr, local.people, patient, signal);
    } catch (fault) {
      if (fault instanceof HeldError) return null;
      throw fault;
    }
  }

  /**
   * The resource with the chart that it is in now; null: nothing is to be done about it. A correction in another chart would leave what it corrects
   * where it is wrong; a withdrawal goes to where it is.
   */
  private async charted(
    one: FiledResource,
    { local, ehr }: VersionToFile,
    today: string | null,
    turn: FilingTurn,
  ): Promise<FiledResource | null> {
    if (one.patient === today) return one;
    const present = await this.looks.read(one.type, one.id, turn);
    if (present === null || isInError(present)) return null;
    const subject = subjectOf(present, ehr);
    // The EHR has joined the two records, and says so by the resource.
    if (subject !== null && subject === today) return { ...one, patient: subject };
    if (isWithdrawn(local.report) && subject === one.patient) return one;
    throw new HeldError('ehr_patient_changed');
  }
}

type Left = Omit<KeptResource, 'id'> & { readonly id: string };
