import { drawPhoto } from '../../scripts/demo-series/draw-photo.mjs';
import { weekOfArea } from '../../scripts/demo-series/wound-course.mjs';
import type { Language } from '../../src/reports/wording/language.js';
import { expectStatus, type Answer, type ApiClient } from './api-client.js';
import { readDocument } from './read-document.js';

type Body = Answer['body'];

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2025, 8, 1, 9);
/** Small, to draw quickly; enough for the card, and for the closer look that a small wound gets. */
const SIZE = { width: 960, height: 720 };
/** Of a job behind those of other wounds. */
const LONGEST_WAIT_MS = 120_000;
const REVIEWER = { id: 'n-17', name: 'Nora Field' };

/** So many days after the first visit. */
export function momentOf(day: number): string {
  return new Date(FIRST_DAY + day * DAY_MS).toISOString();
}

/** The day of a moment that `momentOf` made; null of null. */
export function dayOf(moment: string | undefined | null): number | null {
  return moment === undefined || moment === null ? null : (Date.parse(moment) - FIRST_DAY) / DAY_MS;
}

/** Stands like the photographer of a week of the demo's course. */
export interface VisitPhoto {
  readonly areaCm2: number;
  readonly week: number;
  /** Default: it lies in the picture and gives the scale. */
  readonly card?: boolean;
}

const drawn = new Map<string, Promise<Buffer>>();

/** A lifelike photo, for a real model; each is drawn once. */
export function drawVisit({ areaCm2, week, card = true }: VisitPhoto): Promise<Buffer> {
  const name = `${areaCm2}/${week}/${card}`;
  const photo = drawn.get(name) ?? drawPhoto(weekOfArea(week, areaCm2, { card }), SIZE).then(({ jpeg }) => jpeg);
  drawn.set(name, photo);
  return photo;
}

/** Visits of one patient through real jobs, one after the other, and what people decide between them. */
export class DrawnHistory {
  /** Ids by the day of the visit. */
  private readonly reports = new Map<number, string>();
  private readonly areas = new Map<number, number>();

  constructor(
    readonly client: ApiClient,
    private readonly patientId: string,
  ) {}

  get days(): number[] {
    return [...this.reports.keys()];
  }

  get lastDay(): number {
    return Math.max(...this.days);
  }

  /** The true area of that day. */
  drawnCm2(day: number): number {
    return this.areas.get(day)!;
  }

  async visits(subject: object, visits: readonly (readonly [day: number, photo: VisitPhoto])[]): Promise<void> {
    for (const [day, photo] of visits) await this.visit(day, photo, subject);
  }

  async decide(day: number, woundId: string, decision: 'close' | 'reopen'): Promise<void> {
    await this.post(woundId, decision, { decidedAt: momentOf(day) });
  }

  async merge(woundId: string, into: string): Promise<void> {
    await this.post(woundId, 'merge', { into });
  }

  /** The wound that a photo was filed under. */
  async woundOf(day: number): Promise<string> {
    return (await this.report(day)).subject.woundRef;
  }

  dayOfReport(reportId: string): number {
    return this.days.find((day) => this.reports.get(day) === reportId)!;
  }

  reportId(day: number): string {
    return this.reports.get(day)!;
  }

  async report(day: number): Promise<Body> {
    return this.read(`/api/v1/reports/${this.reportId(day)}`);
  }

  /** Of the wound that the last photo was filed under. */
  async timeline(): Promise<Body[]> {
    return (await this.read(`/api/v1/wounds/${await this.woundOf(this.lastDay)}/timeline`)).assessments;
  }

  /** What a person reads on paper: the words in one line. */
  async words(day: number, language: Language, version?: number): Promise<string> {
    const path = `/api/v1/reports/${this.reportId(day)}${version === undefined ? '' : `/versions/${version}`}`;
    const answer = await this.client.request('GET', `${path}?lang=${language}`, { headers: { accept: 'text/plain' } });
    return readDocument(expectStatus(200, answer).bytes, 'text');
  }

  async read(path: string): Promise<Body> {
    return expectStatus(200, await this.client.request('GET', path)).body;
  }

  private async visit(day: number, photo: VisitPhoto, subject: object): Promise<void> {
    const started = await this.client.startJob({
      imageId: await this.client.uploadPhoto(await drawVisit(photo)),
      subject: { patientId: this.patientId, patientSystem: 'urn:oid:1.2.3', ...subject },
      capturedAt: momentOf(day),
    });
    const job = await this.client.waitForJob(started.id, LONGEST_WAIT_MS);
    if (job.status !== 'completed') throw new Error(`The job of day ${day}: ${JSON.stringify(job.error)}`);
    this.areas.set(day, photo.areaCm2);
    this.reports.set(day, (job.links.report as string).split('/').at(-1)!);
  }

  private async post(woundId: string, decision: string, more: object): Promise<void> {
    const json = { reviewer: REVIEWER, ...more };
    expectStatus(200, await this.client.request('POST', `/api/v1/wounds/${woundId}/${decision}`, { json }));
  }
}
