import { WORSE_VERDICTS, type Course } from '../followup/course.js';
import type { FollowUpFlag } from '../followup/flags.js';
import { presentCourse } from '../followup/wound-course.js';
import type { Wound } from '../followup/wound.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { ClinicalClock } from '../ports/clinical-clock.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ReportFigures, ReportReading } from '../report/clinical-report.js';
import type { ReportReader } from '../report/report-reader.js';
import type { ReportRepository, WaitingReport } from '../report/report.repository.js';

/** When an EHR asks: someone looks at the patient, or the patient goes home. */
export type CareMoment = 'view' | 'discharge';

/** A wound of which there is something to say, by its last photo. */
export interface WoundToTell {
  readonly wound: Wound;
  readonly reading: ReportReading;
  /** As it stands now; null: by rules that had none. */
  readonly course: Course | null;
  /** Worsening, mixed or reopened. */
  readonly isWorse: boolean;
  /** Published days by which wounds of its kind had shrunk by more; missed, and not reached since. */
  readonly milestones: readonly FollowUpFlag[];
  /** Reports of it that wait for a person. */
  readonly waiting: number;
  /** One of these may show a wound that spreads fast. */
  readonly mayBeSpreading: boolean;
  /** A photo is due: when the last one was taken; null: none is. */
  readonly lastPhotoAt: Date | null;
}

export interface WoundsToTellPorts {
  readonly wounds: Pick<WoundRepository, 'ofPatient' | 'history'>;
  readonly reports: Pick<ReportRepository, 'figures' | 'waiting'>;
  readonly reader: Pick<ReportReader, 'readIn'>;
  readonly clinicalClock: ClinicalClock;
}

const DAY_MS = 86_400_000;
/**
 * A photo is due after so many days without one; at a discharge one of these days shall go into the letter. Two weeks are twice the week at which
 * wounds are usually looked at: the service knows no plan of visits, so it states the date and asks for nothing.
 */
const DUE_AFTER_DAYS: Readonly<Record<CareMoment, number>> = { view: 14, discharge: 2 };
/** A wound of which nobody has sent a photo for so long is looked after elsewhere, or was forgotten to be closed. */
const DUE_UNTIL_DAYS = 90;

/** Reads what is to be said of a patient's wounds at a moment of care, by the verdict that reports and the desk have. Nothing to say is no wound. */
export class WoundsToTell {
  constructor(private readonly ports: WoundsToTellPorts) {}

  /** The gravest first, then in the order in which they became known. */
  async read(transaction: TenantTransaction, patientId: string, moment: CareMoment): Promise<readonly WoundToTell[]> {
    const wounds = (await this.ports.wounds.ofPatient(transaction, patientId)).filter(
      ({ mergedInto }) => mergedInto === null,
    );
    const waiting = await this.ports.reports.waiting(
      transaction,
      wounds.map(({ id }) => id),
    );
    const told: WoundToTell[] = [];
    for (const wound of wounds) {
      const one = await this.toTell(transaction, wound, waiting.get(wound.id) ?? [], moment);
      if (one !== null) told.push(one);
    }
    return told.sort((one, other) => Number(isGrave(other)) - Number(isGrave(one)));
  }

  private async toTell(
    transaction: TenantTransaction,
    wound: Wound,
    held: readonly WaitingReport[],
    moment: CareMoment,
  ): Promise<WoundToTell | null> {
    const series = (await this.ports.reports.figures(transaction, wound.id)).filter(
      ({ content }) => content.comparison.supersededBy === null,
    );
    const last = series.at(-1);
    if (last === undefined) return null;
    const { capturedAt, comparison, flags } = last.content;
    const events = await this.ports.wounds.history(transaction, wound.id);
    const course = presentCourse(wound, events, { capturedAt, course: comparison.course ?? null });
    const isWorse = course !== null && WORSE_VERDICTS.includes(course.verdict);
    // Of a wound that a person closed, only what came after that.
    if (wound.status === 'closed' && !isWorse) return null;
    const found = {
      wound,
      course,
      isWorse,
      milestones: flags.filter(({ evidenceFor }) => evidenceFor !== null),
      waiting: waitingOf(series, held),
      mayBeSpreading: held.some(({ reasons }) => reasons.includes('area_jump')),
      lastPhotoAt: wound.status === 'open' ? await this.dueSince(transaction, new Date(capturedAt), moment) : null,
    };
    if (!isWorse && found.milestones.length === 0 && found.waiting === 0 && found.lastPhotoAt === null) return null;
    const reading = await this.ports.reader.readIn(transaction, last.id);
    return reading === null ? null : { ...found, reading };
  }

  private async dueSince(transaction: TenantTransaction, lastAt: Date, moment: CareMoment): Promise<Date | null> {
    const now = await this.ports.clinicalClock.now(transaction);
    const days = (now.getTime() - lastAt.getTime()) / DAY_MS;
    return days >= DUE_AFTER_DAYS[moment] && days <= DUE_UNTIL_DAYS ? lastAt : null;
  }
}

/** Not yet reviewed, or held for a reason of its own. */
function waitingOf(series: readonly ReportFigures[], held: readonly WaitingReport[]): number {
  const preliminary = series.filter(({ status }) => status === 'preliminary').map(({ id }) => id);
  return new Set([...preliminary, ...held.map(({ reportId }) => reportId)]).size;
}

/** To be looked at before the others. */
export function isGrave({ isWorse, mayBeSpreading }: Pick<WoundToTell, 'isWorse' | 'mayBeSpreading'>): boolean {
  return isWorse || mayBeSpreading;
}
