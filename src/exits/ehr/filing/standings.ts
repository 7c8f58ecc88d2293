import { Injectable } from '@nestjs/common';
import { endedBy, isWithdrawn, writesOf, type FiledPart, type FiledResource } from '../dialects/filing.js';
import { FiledLedger, type KeptResource, type LedgerEntry } from '../queue/filed-ledger.js';
import { HeldError } from '../settings/holds.js';
import type { FilingTurn } from './filing-turn.js';
import { isInError, Looks } from './looks.js';
import { PeopleFinder } from './people-finder.js';
import { isMarked, ReportFacts, type VersionToFile } from './report-facts.js';
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
   * `ehr_outcome_unknown`, `ehr_patient_changed`, `ehr_duplicate`; what marks what stands is given them beside the rest.
   */
  async before(part: FiledPart, round: VersionToFile, today: string | null, turn: FilingTurn): Promise<Standing> {
    const { id: reportId, version } = round.local.report;
    const holds = new Holds(isMarked(part, round));
    const standing = new Map<string, FiledResource>();
    for (const entry of await this.ledger.before(turn.ehr.id, { part, reportId, version }))
      for (const one of await this.left(entry, round, [...standing.values()], { turn, holds })) {
        const key = `${one.type}/${one.id}`;
        // Newer ones come last, as nothing is held back that was filed later.
        standing.delete(key);
        if (one.ended !== 'entered-in-error')
          standing.set(key, { ...one, isSuperseded: one.ended === 'superseded', version: entry.version });
      }
    const charted: (FiledResource | null)[] = [];
    for (const one of standing.values()) charted.push(await holds.collect(() => this.charted(one, round, today, turn)));
    return { standing: charted.filter((one) => one !== null), held: holds.first };
  }

  /** What attempts of this delivery left in another chart than the one where it goes now. As `before`. */
  async elsewhere(
    part: FiledPart,
    round: VersionToFile,
    before: readonly FiledResource[],
    patient: string,
    turn: FilingTurn,
  ): Promise<readonly KeptResource[]> {
    const { isUnsettled, patient: written, filed: kept } = turn.earlier;
    const filed = kept.filter((one) => one.patient !== patient && one.ended === undefined);
    const isUnclear = isUnsettled && written !== null && written !== patient;
    const { version } = round.local.report;
    const entry = { part, version, filed, isUnclear, patient: written };
    const left: KeptResource[] = [];
    for (const one of await this.left(entry, round, before, { turn, holds: new Holds(false) })) {
      const there = await this.charted({ ...one, version, isSuperseded: false }, round, patient, turn);
      if (there !== null) left.push({ ...one, patient: there.patient });
    }
    return left;
  }

  /** What a delivery left in the EHR. Where nobody knows, it is looked for in the chart where it went, beside what is known. */
  private async left(
    { part, version, filed, isUnclear, patient }: LedgerEntry,
    round: VersionToFile,
    before: readonly FiledResource[],
    { turn, holds }: { readonly turn: FilingTurn; readonly holds: Holds },
  ): Promise<readonly Left[]> {
    const known = filed.flatMap(({ id, ...one }) => (id === null ? [] : [{ ...one, id }]));
    if (!isUnclear) return known;
    const report = round.local.versions.find((one) => one.version === version);
    if (report === undefined || patient === null) {
      // Nowhere to look: a person has, or is asked to.
      if (!turn.isAskedAnew) await holds.collect(() => Promise.reject(new HeldError('ehr_outcome_unknown')));
      return known;
    }
    const then = { ...round, local: { ...round.local, report } };
    const encounter = await this.encounterOf(then, patient, turn);
    const facts = await this.facts.of(part, then, { patient, encounter, author: null, before });
    const found: Left[] = [];
    for (const write of writesOf(round.dialect.filingOf(part, facts))) {
      // What it may have changed stands by an earlier version, and is taken back by that.
      if (holds.areCollected && write.kind !== 'create') continue;
      const there = await holds.collect(() => this.looks.done(write, turn));
      const ended = endedBy(write);
      if (there !== null && !known.some(({ type, id }) => type === there.type && id === there.id))
        found.push({ part: write.part, ...there, patient, ...(ended === undefined ? {} : { ended }) });
    }
    return [...known, ...found];
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
    // What is there no more may be out of our sight alone: a person says whether it is withdrawn.
    if (present === null && isWithdrawn(local.report)) throw new HeldError('ehr_removed_there');
    if (present === null || isInError(present)) return null;
    const subject = subjectOf(present, ehr);
    // The EHR has joined the two records, and says so by the resource.
    if (subject !== null && subject === today) return { ...one, patient: subject };
    if (isWithdrawn(local.report) && subject === one.patient) return one;
    throw new HeldError('ehr_patient_changed');
  }
}

/** What stands, and why there may be more of it. */
export interface Standing {
  readonly standing: readonly FiledResource[];
  /** null: nothing is in doubt. */
  readonly held: HeldError | null;
}

/** Holds met while looking; what is not to be collected is thrown at once. */
class Holds {
  first: HeldError | null = null;

  constructor(readonly areCollected: boolean) {}

  /** null: it was held. */
  async collect<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (fault) {
      if (!(fault instanceof HeldError) || !this.areCollected) throw fault;
      this.first ??= fault;
      return null;
    }
  }
}

type Left = Omit<KeptResource, 'id'> & { readonly id: string };
