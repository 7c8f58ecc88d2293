import type { Course } from '../../../../src/core/followup/course.js';
import { expectStatus, type Answer, type ApiClient } from '../../../support/api-client.js';
import { observationsOf } from './stated.js';
import { LONGEST_WAIT_MS, type Photos } from './photos.js';
import type { History, Step } from './read-histories.js';

type Body = Answer['body'];

const FIRST_DAY = '2026-01-05';
const DAY_MS = 86_400_000;
const REVIEWER = { id: 'n-17', name: 'Nora Field' };
const SNOMED = 'http://snomed.info/sct';
const KINDS: Readonly<Record<string, object>> = {
  'diabetic foot': { system: SNOMED, code: '280137006', display: 'Diabetic foot ulcer' },
  venous: { system: SNOMED, code: '371032004', display: 'Venous ulcer' },
  pressure: { system: SNOMED, code: '399912005', display: 'Pressure injury' },
};

/** What was said at each step, and the reports that came of it. */
export interface Played {
  readonly courses: readonly Course[];
  readonly reportIds: readonly string[];
}

/** Plays one history through real jobs and decisions, one step after the other. */
export async function playHistory(client: ApiClient, photos: Photos, history: History): Promise<Played> {
  return new Player(client, photos, history).play();
}

class Player {
  private readonly reports = new Map<string, string>();
  private readonly wounds = new Map<string, string>();

  constructor(
    private readonly client: ApiClient,
    private readonly photos: Photos,
    private readonly history: History,
  ) {}

  async play(): Promise<Played> {
    const courses: Course[] = [];
    for (const step of this.history.steps) {
      try {
        courses.push(step.areaCm2 === null ? await this.decide(step) : await this.visit(step, step.areaCm2));
      } catch (fault) {
        throw new Error(`History ${this.history.number}, day ${step.day}: ${String(fault)}`);
      }
    }
    return { courses, reportIds: [...new Set(this.reports.values())] };
  }

  private async visit({ day, words }: Step, areaCm2: number): Promise<Course> {
    const kind = words.includes('two outlines') ? 'two' : 'one';
    const { bytes, mmPerPixel } = await this.photos.draw(areaCm2, kind);
    const time = words.find((word) => word.startsWith('at '))?.slice('at '.length) ?? '09:00';
    const started = await this.client.startJob({
      imageId: await this.client.uploadPhoto(bytes),
      subject: this.subjectOf(words),
      capturedAt: momentOf(day, time),
      ...(words.includes('no scale') ? {} : { calibration: { mmPerPixel } }),
      clinicianObservations: observationsOf(words),
    });
    const job = await this.client.waitForJob(started.id, LONGEST_WAIT_MS);
    if (job.status !== 'completed') throw new Error(JSON.stringify(job.error));
    const report = await this.read(job.links.report);
    const measured = report.findings.figures?.area.cm2?.value ?? null;
    if (measured !== null && Math.abs(measured - areaCm2) > 0.006)
      throw new Error(`The photo shows ${measured} cm² instead of ${areaCm2}.`);
    this.reports.set(`${day} ${time}`, report.id);
    this.reports.set(`${day}`, report.id);
    this.wounds.set(numberOf(words), report.subject.woundRef);
    return report.comparison.course;
  }

  private subjectOf(words: readonly string[]): object {
    const { number, kind } = this.history;
    const laterality = words.find((word) => word === 'left' || word === 'right');
    return {
      patientId: `MRN-${number}`,
      woundId: numberOf(words),
      ...(kind === null ? {} : { woundType: KINDS[kind] }),
      ...(laterality === undefined ? {} : { laterality }),
    };
  }

  /** The course of the wound as it stands then. */
  private async decide({ day, words }: Step): Promise<Course> {
    const wound = this.wounds.get('A')!;
    for (const phrase of words) await this.act(phrase, wound, momentOf(day, '18:00'));
    const { course } = await this.read(`/api/v1/wounds/${wound}`);
    return course;
  }

  private async act(phrase: string, wound: string, decidedAt: string): Promise<void> {
    const dayIn = /day (\d+)/.exec(phrase)?.[1] ?? '';
    const numbers = [...phrase.matchAll(/(\d+(?:\.\d+)?)(?! *:)/g)].map(([, number]) => Number(number));
    const name = phrase.split(' ')[0]!;
    switch (name.replace(':', '')) {
      case 'accepts':
        return this.review(dayIn, { decision: 'accept' });
      case 'rejects':
        return this.review(dayIn, { decision: 'reject', note: 'Another wound.' });
      case 'moves':
        return this.review(dayIn, { decision: 'reassign', subject: this.subjectOf(['wound B']), note: 'Other leg.' });
      case 'says':
        return this.review(dayIn, { decision: 'correct', outlines: [0] });
      case 'sets':
        return this.review(dayIn, {
          decision: 'correct',
          calibration: { mmPerPixel: this.photos.scaleFor(numbers[1]!) },
        });
      case 'tissue': {
        const [necrosis, slough] = /necrosis (\d+), slough (\d+)/.exec(this.wordsOf(phrase))!.slice(1).map(Number);
        const shares = { necrosis: necrosis! / 100, slough: slough! / 100 };
        const granulation = Math.round(100 - necrosis! - slough!) / 100;
        return this.review(dayIn, { decision: 'correct', tissue: { ...shares, granulation, other: 0 } });
      }
      case 'closes':
        return this.post(wound, 'close', { reason: phrase.split(': ')[1], decidedAt });
      case 'reopens':
        return this.post(wound, 'reopen', { decidedAt });
      case 'merges':
        return this.post(this.wounds.get('B')!, 'merge', { into: wound });
      case 'looks':
        return;
      default:
        throw new Error(`What is "${phrase}"?`);
    }
  }

  private wordsOf(phrase: string): string {
    return phrase.slice(phrase.indexOf(':') + 1);
  }

  private async review(day: string, json: object): Promise<void> {
    const path = `/api/v1/reports/${this.reports.get(day)}`;
    const { headers } = expectStatus(200, await this.client.request('GET', path));
    const answer = await this.client.request('POST', `${path}/reviews`, {
      headers: { 'if-match': headers.get('etag')! },
      json: { reviewer: REVIEWER, ...json },
    });
    if (answer.status >= 300) throw new Error(answer.bytes.toString('utf8'));
  }

  private async post(woundId: string, decision: string, more: object): Promise<void> {
    const json = { reviewer: REVIEWER, ...more };
    expectStatus(200, await this.client.request('POST', `/api/v1/wounds/${woundId}/${decision}`, { json }));
  }

  private async read(path: string): Promise<Body> {
    return expectStatus(200, await this.client.request('GET', path)).body;
  }
}

function numberOf(words: readonly string[]): string {
  return words.includes('wound B') ? 'B' : 'A';
}

function momentOf(day: number, time: string): string {
  return new Date(Date.parse(`${FIRST_DAY}T${time}:00Z`) + day * DAY_MS).toISOString();
}
