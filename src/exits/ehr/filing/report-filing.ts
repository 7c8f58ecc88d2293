import { Injectable } from '@nestjs/common';
import { DIALECTS } from '../dialects/dialects.js';
import { isWithdrawn, type FiledPart, type FiledResource } from '../dialects/filing.js';
import type { KeptResource } from '../queue/kept-resource.js';
import { NoEhrAnswerError } from '../../../ehrs/index.js';
import { HeldError, type Hold } from '../settings/holds.js';
import { Filer } from './filer.js';
import type { FilingTurn } from './filing-turn.js';
import { FilingReader } from './filing-reader.js';
import { PeopleFinder, type FoundPeople } from './people-finder.js';
import { TransientError } from './refusals.js';
import { isMarked, ReportFacts, type VersionToFile } from './report-facts.js';
import { Standings } from './standings.js';
import { VisitNumbers } from './visit-numbers.js';

/** What a delivery is of. */
export interface FiledDelivery {
  readonly part: FiledPart;
  readonly reportId: string;
  readonly version: number;
}

/** Files one part of a version: who it is about, what stands there already, then the request. */
@Injectable()
export class ReportFiling {
  constructor(
    private readonly reader: FilingReader,
    private readonly visits: VisitNumbers,
    private readonly people: PeopleFinder,
    private readonly standings: Standings,
    private readonly facts: ReportFacts,
    private readonly filer: Filer,
  ) {}

  /** HeldError, TransientError, NoEhrAnswerError. */
  async file(delivery: FiledDelivery, turn: FilingTurn): Promise<readonly KeptResource[]> {
    const { part } = delivery;
    const round = await this.roundOf(delivery, turn);
    const forgotten =
      turn.earlier.isForgotten && !turn.isAskedAnew ? new HeldError('ehr_outcome_unknown', ['restored']) : null;
    if (forgotten !== null && !isWithdrawn(round.local.report)) throw forgotten;
    const today = await this.patientOf(round, turn);
    try {
      const { standing, held } = await this.standings.before(part, round, today, turn);
      const filed = await this.fileOn(standing, part, round, today, turn);
      // What is in doubt keeps nothing else from being taken back, and waits for a person then.
      const doubt = held ?? forgotten;
      if (doubt !== null) throw doubt;
      return filed;
    } catch (fault) {
      if (!(fault instanceof NoEhrAnswerError) || !OF_ONE_RESOURCE.has(fault.fault)) throw fault;
      // The EHR answers, as it did for the patient: this result waits, and no other.
      throw new TransientError({ status: null, codes: [fault.fault], retryAfterMs: null });
    }
  }

  private async fileOn(
    before: readonly FiledResource[],
    part: FiledPart,
    round: VersionToFile,
    today: string | null,
    turn: FilingTurn,
  ): Promise<readonly KeptResource[]> {
    const patient = chartOf(before) ?? today;
    // A withdrawal of nothing, whoever has the number.
    if (patient === null || (isWithdrawn(round.local.report) && before.length === 0)) return [];
    const elsewhere = await this.standings.elsewhere(part, round, before, patient, turn);
    if (elsewhere.length > 0) return elsewhere;
    const others = await this.othersOf(part, round, patient, turn);
    const facts = await this.facts.of(part, round, { patient, ...others, before });
    return this.filer.file(round.dialect.filingOf(part, facts), patient, turn);
  }

  private async roundOf(delivery: FiledDelivery, { ehr }: FilingTurn): Promise<VersionToFile> {
    const dialect = DIALECTS[ehr.push.dialect];
    if ((delivery.part === 'bundle') !== dialect.isBundled) throw new HeldError('ehr_settings_changed');
    const read = await this.reader.read(ehr, delivery);
    if (read === null) throw new HeldError('ehr_report_gone');
    // Its withdrawal comes after it, and takes back what may stand of it.
    const newest = read.versions.at(-1);
    if (newest !== undefined && isWithdrawn(newest) && !isWithdrawn(read.report)) throw new HeldError('ehr_superseded');
    const visitNumber = ehr.push.encounterRule === 'identifier' ? await this.visits.of(ehr, read.report) : null;
    return { ehr, dialect, local: { ...read, people: { ...read.people, visitNumber } } };
  }

  /** Who has the number now. null: not exactly one, which holds back no withdrawal: that goes to where the result is. A refused search says nothing. */
  private async patientOf({ local, ehr }: VersionToFile, { signal }: FilingTurn): Promise<string | null> {
    try {
      return await this.people.patientOf(ehr, local.people, signal);
    } catch (fault) {
      if (fault instanceof HeldError && NUMBER_HOLDS.has(fault.hold) && isWithdrawn(local.report)) return null;
      throw fault;
    }
  }

  private othersOf(
    part: FiledPart,
    round: VersionToFile,
    patient: string,
    { signal }: FilingTurn,
  ): Promise<FoundPeople> {
    // What is taken back keeps whom it names.
    if (isMarked(part, round) || (isWithdrawn(round.local.report) && round.dialect.namesAuthor))
      return Promise.resolve({ encounter: null, author: null });
    const { local, dialect, ehr } = round;
    return this.people.othersOf(ehr, local.people, patient, { namesAuthor: dialect.namesAuthor, signal });
  }
}

/** Of an answer about one resource that cannot be read. */
const OF_ONE_RESOURCE: ReadonlySet<string> = new Set([
  'no_resource',
  'no_bundle',
  'no_transaction_response',
  'too_large',
]);

const NUMBER_HOLDS: ReadonlySet<Hold> = new Set<Hold>([
  'ehr_patient_unnumbered',
  'ehr_patient_unknown',
  'ehr_patient_ambiguous',
  'ehr_patient_doubtful',
]);

/** The chart of what was filed last; null: nothing stands. */
function chartOf(before: readonly FiledResource[]): string | null {
  return before.at(-1)?.patient ?? null;
}
