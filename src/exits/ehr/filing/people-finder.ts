import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import { EhrServer } from '../calls/ehr-server.js';
import type { FhirAnswer } from '../calls/fhir-answer.js';
import { HeldError, type Hold } from '../settings/holds.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { matchNumber, matchPatient, matchPeriod, matchVisit, type AskedNumber, type Match } from './matches.js';
import { refuse } from './refusals.js';

/** Whom a result is about, in the numbers of this service. */
export interface AskedPeople {
  /** null: the patient has no number that the EHR knows. */
  readonly patientNumber: string | null;
  /** `1951-07-14`, `1951-07` or `1951`; null: not known. */
  readonly birthDate: string | null;
  /** IANA; the organization's. */
  readonly timeZone: string;
  /** null: the visit has no number here. */
  readonly visitNumber: AskedNumber | null;
  /** null: nobody decided, or the EHR is not asked for them. */
  readonly reviewer: AskedNumber | null;
  readonly capturedAt: Date;
}

/** Visit and author of a result as the EHR refers to them; null: results name none. */
export interface FoundPeople {
  readonly encounter: string | null;
  readonly author: string | null;
}

interface AskedOthers {
  readonly namesAuthor: boolean;
  readonly signal: AbortSignal;
}

/** Finds patient, visit and author of a result at the EHR: exactly one each, or the result is held. All: HeldError; NoEhrAnswerError; TransientError. */
@Injectable()
export class PeopleFinder {
  constructor(
    private readonly server: EhrServer,
    private readonly clock: Clock,
  ) {}

  /** `Patient/id` who has the number now. */
  async patientOf(ehr: PushingEhr, asked: AskedPeople, signal: AbortSignal): Promise<string> {
    const { patientNumber, birthDate, timeZone } = asked;
    if (patientNumber === null) throw new HeldError('ehr_patient_unnumbered');
    const number = { system: ehr.patientSystem, value: patientNumber };
    const people = await this.search(ehr, 'Patient', { identifier: textOf(number) }, signal);
    const match = matchPatient(people, number, { birthDate, now: this.clock.now(), timeZone });
    if (match.kind === 'doubtful') throw new HeldError('ehr_patient_doubtful');
    return held(match, 'ehr_patient_unknown', 'ehr_patient_ambiguous');
  }

  async othersOf(
    ehr: PushingEhr,
    asked: AskedPeople,
    patient: string,
    { namesAuthor, signal }: AskedOthers,
  ): Promise<FoundPeople> {
    return {
      encounter: await this.encounterOf(ehr, asked, patient, signal),
      author: namesAuthor ? await this.authorOf(ehr, asked.reviewer, signal) : null,
    };
  }

  /** `Encounter/id` of the patient; null: results name none. */
  async encounterOf(
    ehr: PushingEhr,
    { visitNumber, capturedAt }: AskedPeople,
    patient: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    const whose = { patient, fhirBaseUrl: ehr.fhirBaseUrl };
    switch (ehr.push.encounterRule) {
      case 'none':
        return null;
      case 'identifier': {
        if (visitNumber === null) throw new HeldError('ehr_encounter_unnumbered');
        const found = await this.search(ehr, 'Encounter', { identifier: textOf(visitNumber) }, signal);
        return held(matchVisit(found, visitNumber, whose), 'ehr_encounter_unknown', 'ehr_encounter_ambiguous');
      }
      case 'period': {
        const moment = capturedAt.toISOString();
        const found = await this.search(
          ehr,
          'Encounter',
          { patient: patient.replace('Patient/', ''), date: [`ge${moment}`, `le${moment}`] },
          signal,
        );
        return held(matchPeriod(found, capturedAt, whose), 'ehr_encounter_unknown', 'ehr_encounter_ambiguous');
      }
    }
  }

  private async authorOf(ehr: PushingEhr, reviewer: AskedNumber | null, signal: AbortSignal): Promise<string> {
    if (reviewer === null) throw new HeldError('ehr_author_unknown');
    // Who decided at the desk that this EHR opened is named by its own id there.
    if (reviewer.system === ehr.fhirBaseUrl && PRACTITIONER.test(reviewer.value)) return reviewer.value;
    const found = await this.search(ehr, 'Practitioner', { identifier: textOf(reviewer) }, signal);
    return held(matchNumber(found, reviewer), 'ehr_author_unknown', 'ehr_author_unknown');
  }

  private search(ehr: PushingEhr, type: string, parameters: Record<string, string | string[]>, signal: AbortSignal) {
    return this.server.search(ehr, type, parameters, { signal, refuse: (answer: FhirAnswer) => refuse(answer) });
  }
}

const PRACTITIONER = /^Practitioner\/[A-Za-z0-9.-]{1,64}$/;

function held(match: Match, unknown: Hold, ambiguous: Hold): string {
  if (match.kind === 'one') return match.reference;
  throw new HeldError(match.kind === 'none' ? unknown : ambiguous);
}

/** As a token parameter of FHIR; commas, bars and backslashes of a number stand for themselves. */
function textOf({ system, value }: AskedNumber): string {
  const escaped = (text: string): string => text.replace(/[\\,|$]/g, (sign) => `\\${sign}`);
  return system === '' ? escaped(value) : `${escaped(system)}|${escaped(value)}`;
}
