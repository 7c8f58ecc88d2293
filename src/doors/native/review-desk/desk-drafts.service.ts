import { Injectable } from '@nestjs/common';
import { ReportReader } from '../../../core/report/report-reader.js';
import { ReviewDrafts } from '../../../core/report/review-drafts.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { accessTo } from '../audit/native-access.js';
import type { DraftBody, PresenceBody } from './desk-draft.schema.js';
import { DeskReadingService } from './desk-reading.service.js';
import type { DeskAccess } from './desk-sessions.js';
import type { DeskDraftView, KeptDraftView, SurroundingsView } from './desk.views.js';

/** What a link has named it names so much longer here: a saving a second, or a page that says that it is open, does not read the whole series. */
const NAMED_MS = 60_000;
const MOST_NAMED = 5000;

/** Drafts of whoever sits at the desk, and who else does, for the reports that its link names. */
@Injectable()
export class DeskDraftsService {
  /** When it was looked at, by link and report. */
  private readonly named = new Map<string, number>();

  constructor(
    private readonly drafts: ReviewDrafts,
    private readonly reading: DeskReadingService,
    private readonly reader: ReportReader,
  ) {}

  async read({ link, caller }: DeskAccess, reportId: string): Promise<HttpAnswer> {
    const { woundRef: wound } = (await this.reader.read(caller, reportId)).report.content.subject;
    const look = accessTo('R', `DiagnosticReport/${reportId}`, { wound }, 'review draft');
    const draft = await this.drafts.read(link, reportId, caller, look);
    const view = draft === null ? null : { ...draft, savedAt: draft.savedAt.toISOString() };
    return jsonAnswer(200, { draft: view } satisfies DeskDraftView);
  }

  async keep({ link }: DeskAccess, reportId: string, draft: DraftBody): Promise<HttpAnswer> {
    const savedAt = await this.drafts.keep(link, { ...draft, reportId });
    return jsonAnswer(200, { savedAt: savedAt.toISOString() } satisfies KeptDraftView);
  }

  async noteOpen({ link }: DeskAccess, reportId: string, { tabId }: PresenceBody): Promise<HttpAnswer> {
    const { asOf, others, ...known } = await this.drafts.noteOpen(link, reportId, tabId);
    return jsonAnswer(200, {
      ...known,
      asOf: asOf.toISOString(),
      others: others.map((one) => ({ ...one, since: one.since.toISOString() })),
    } satisfies SurroundingsView);
  }

  /** `report.not_found` for any other than those that the link names. */
  async requireNamed(desk: DeskAccess, reportId: string): Promise<void> {
    const key = `${desk.link.id} ${reportId}`;
    const now = performance.now();
    if (now - (this.named.get(key) ?? -NAMED_MS) < NAMED_MS) return;
    await this.reading.requireNamed(desk, reportId);
    if (this.named.size >= MOST_NAMED) this.named.clear();
    this.named.set(key, now);
  }
}
