import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { Reviewer } from '../../../core/followup/wound.js';
import { isSuturaError, SuturaError } from '../../../core/errors/sutura-error.js';
import { ReportPictureReader } from '../../../core/report/report-pictures.js';
import { draftAuthorOf } from '../../../core/report/review-draft.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import { jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import {
  bannerOf,
  chooseLanguage,
  curvePicture,
  shortBannerOf,
  tellCourse,
  tellCurve,
  woundLabel,
  type Language,
} from '../../../reports/index.js';
import { accessTo } from '../audit/native-access.js';
import { ReportReadingService } from '../reports/report-reading.service.js';
import type {
  DeskCourseView,
  DeskSessionView,
  ListEntryView,
  ReportBannerView,
  SeriesEntryView,
  WoundEntryView,
} from './desk.views.js';
import type { DeskAccess } from './desk-sessions.js';

const ALL = { from: null, to: null };
/** Where somebody opens it by itself. */
const CURVE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";
const AS_JSON = { mediaType: 'application/json', language: 'en', paper: undefined } as const;

/** What the desk shows of what its link names. */
@Injectable()
export class DeskReadingService {
  constructor(
    private readonly reader: ReportReader,
    private readonly reading: ReportReadingService,
    private readonly pictures: ReportPictureReader,
    private readonly audit: AuditTrail,
  ) {}

  /** Who may do what here, and which reports there are. */
  async overview({ link, caller, csrfToken }: DeskAccess, status: number, acceptLanguage = ''): Promise<HttpAnswer> {
    const { mode, subject, person, personName, language, frameOrigin, idleS, expiresAt } = link;
    const words = chooseLanguage(language ?? undefined, acceptLanguage) ?? 'en';
    const shown = await this.woundsOf(link, caller, words);
    const ends = expiresAt.toISOString();
    const session = {
      mode,
      of: subject,
      reportId: firstOf(link, shown),
      person,
      personName,
      author: draftAuthorOf(link),
      language,
      frameOrigin,
      idleS,
      expiresAt: ends,
      csrfToken,
    };
    return jsonAnswer(status, { ...session, ...shown } satisfies DeskSessionView);
  }

  private async woundsOf(
    { subject, subjectId, reportIds }: DeskAccess['link'],
    caller: DeskAccess['caller'],
    language: Language,
  ): Promise<Pick<DeskSessionView, 'series' | 'wounds' | 'list'>> {
    const none = { series: [], wounds: [], list: [] };
    if (subject === 'report') return none;
    if (subject === 'wound') return { ...none, series: await this.seriesOf(subjectId, caller) };
    if (subject === 'list') return { ...none, list: await this.listOf(reportIds, caller, language) };
    const found = await this.reader.woundsOfPatient(caller, subjectId);
    const series: SeriesEntryView[] = [];
    const wounds: WoundEntryView[] = [];
    for (const wound of found) {
      const entries = await this.seriesOf(wound.id, caller);
      if (entries.length === 0) continue;
      series.push(...entries);
      wounds.push({ woundId: wound.id, label: woundLabel(language, wound), status: wound.status });
    }
    return { ...none, series, wounds: wounds.toSorted((one, other) => rankOf(one) - rankOf(other)) };
  }

  /** Without those that were erased since. Each is a row of the trail, since it says whose wound it is. */
  private async listOf(
    reportIds: readonly string[],
    caller: DeskAccess['caller'],
    language: Language,
  ): Promise<ListEntryView[]> {
    const entries: ListEntryView[] = [];
    for (const reportId of reportIds)
      try {
        const { report, heading } = await this.reader.read(caller, reportId);
        const { subject } = report.content;
        await this.audit.recordNow(
          caller,
          accessTo('R', `DiagnosticReport/${reportId}`, { wound: subject.woundRef }, 'review desk'),
        );
        const who = heading?.patientName ?? heading?.patientNumber ?? subject.patient?.value ?? '';
        const label = [who, woundLabel(language, subject)].filter((part) => part !== '').join(', ');
        entries.push({ reportId, label, waits: report.status === 'preliminary' });
      } catch (fault) {
        if (!isSuturaError(fault, 'report.not_found')) throw fault;
      }
    return entries;
  }

  async report(desk: DeskAccess, reportId: string): Promise<HttpAnswer> {
    await this.requireNamed(desk, reportId);
    return this.reading.read(desk.caller, reportId, AS_JSON, undefined);
  }

  /** Whose wound it is. */
  async banner(desk: DeskAccess, reportId: string, language: Language): Promise<HttpAnswer> {
    await this.requireNamed(desk, reportId);
    const reading = await this.reader.read(desk.caller, reportId);
    const { woundRef: wound } = reading.report.content.subject;
    await this.audit.recordNow(desk.caller, accessTo('R', `DiagnosticReport/${reportId}`, { wound }, 'review desk'));
    const told = desk.link.isBannerShort ? shortBannerOf(reading, language) : bannerOf(reading, language);
    return jsonAnswer(200, told satisfies ReportBannerView);
  }

  /** What the wound does, in the sentences of the report; it names the version that they are of. */
  async course(desk: DeskAccess, reportId: string, language: unknown): Promise<HttpAnswer> {
    await this.requireNamed(desk, reportId);
    const reading = await this.reader.read(desk.caller, reportId);
    const { version, content } = reading.report;
    await this.audit.recordNow(
      desk.caller,
      accessTo('R', `DiagnosticReport/${reportId}`, { wound: content.subject.woundRef }, 'review desk'),
    );
    // A query that is stated twice is a list.
    const wished = typeof language === 'string' ? language : undefined;
    const chosen = chooseLanguage(wished, undefined) ?? 'en';
    const told = { version, ...tellCourse(reading, chosen), curve: tellCurve(reading, chosen) };
    return jsonAnswer(200, told satisfies DeskCourseView);
  }

  /** The curve of the printed report, in SVG. `artifact.not_found` where there is nothing to compare. */
  async curve(desk: DeskAccess, reportId: string, language: Language): Promise<HttpAnswer> {
    await this.requireNamed(desk, reportId);
    const reading = await this.reader.read(desk.caller, reportId);
    const curve = curvePicture(reading, language);
    if (curve === null) throw new SuturaError('artifact.not_found');
    const { woundRef: wound } = reading.report.content.subject;
    await this.audit.recordNow(desk.caller, accessTo('R', `DiagnosticReport/${reportId}`, { wound }, 'review desk'));
    const headers = { 'content-type': 'image/svg+xml', 'content-security-policy': CURVE_POLICY };
    return { status: 200, headers, body: Buffer.from(curve) };
  }

  /** The photo without metadata, and with `tissue` what the model saw in the wound drawn over it. `artifact.not_found`. */
  async photo(desk: DeskAccess, reportId: string, withTissue: boolean): Promise<HttpAnswer> {
    await this.requireNamed(desk, reportId);
    const { report } = await this.reader.read(desk.caller, reportId);
    const picture = await this.pictures.plain(report, withTissue);
    if (picture === null) throw new SuturaError('artifact.not_found');
    await this.audit.recordNow(
      desk.caller,
      accessTo('R', `Media/${report.imageId}`, { wound: report.content.subject.woundRef }, 'review desk'),
    );
    return { status: 200, headers: { 'content-type': 'image/jpeg' }, body: picture.bytes };
  }

  /** `report.not_found` for any other than those that the link names: what it does not name does not exist here. */
  async requireNamed({ link, caller }: DeskAccess, reportId: string): Promise<void> {
    if (link.subject === 'patient') {
      const owner = await this.reader.ownerOf(caller, reportId);
      if (owner?.patientId !== link.subjectId || (owner.isGivenAway && !isOf(link, owner.givenBy)))
        throw new SuturaError('report.not_found');
      return;
    }
    if (reportId === link.reportId || link.reportIds.includes(reportId)) return;
    const isOfWound =
      link.subject === 'wound' &&
      (await this.reader.timeline(caller, link.subjectId, ALL)).assessments.some(
        ({ report }) => report.id === reportId,
      );
    if (!isOfWound) throw new SuturaError('report.not_found');
  }

  private async seriesOf(woundId: string, caller: DeskAccess['caller']): Promise<readonly SeriesEntryView[]> {
    const { wound, assessments } = await this.reader.timeline(caller, woundId, ALL);
    await this.audit.recordNow(
      caller,
      accessTo('R', `BodyStructure/${woundId}`, { patients: [wound.patientId] }, 'review desk'),
    );
    return assessments.map(({ sequence, report: { id, status, content } }) => ({
      reportId: id,
      woundId,
      sequence,
      status,
      capturedAt: content.capturedAt,
      ...(content.capturedAsStated === undefined ? {} : { capturedAsStated: content.capturedAsStated }),
      areaCm2: content.findings.figures?.area.cm2 ?? null,
      verdict: content.comparison.course?.verdict ?? null,
    }));
  }
}

/** True for whoever sits at this desk: they are told what became of what they gave to another patient themselves, and nobody else sees it there. */
function isOf({ person, personSystem }: DeskAccess['link'], giver: Reviewer | null): boolean {
  return giver !== null && giver.id === person && (giver.system ?? null) === personSystem;
}

/** What the page shows first. Of a patient the last photo, once what was asked for is withdrawn or somebody else's; of a list the first that is left. */
function firstOf(
  { subject, reportId }: DeskAccess['link'],
  { series, list }: Pick<DeskSessionView, 'series' | 'list'>,
): string {
  if (subject === 'list' && !list.some((entry) => entry.reportId === reportId)) return list[0]?.reportId ?? reportId;
  if (subject !== 'patient' || series.some((entry) => entry.reportId === reportId)) return reportId;
  return series.toSorted((one, other) => other.capturedAt.localeCompare(one.capturedAt))[0]?.reportId ?? reportId;
}

function rankOf({ status }: Pick<WoundEntryView, 'status'>): number {
  return status === 'open' ? 0 : 1;
}
