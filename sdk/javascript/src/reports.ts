import { type Connection, drain, type Reader } from './connection.js';
import { toSegment, withoutEmpty, withQuery } from './fields.js';
import type { ListReportsOptions, ReportPage } from './filed-reports.js';
import type { ClinicalReport, ReadReport } from './follow-up.js';
import type { ReportReview, ReviewLink } from './reviews.js';
import type {
  DocumentBytes,
  CourseReportOptions,
  DocumentOptions,
  DownloadReportOptions,
  ReportFormat,
  ReviewLinkOptions,
  ReviewOptions,
  SaveReportOptions,
} from './follow-up-options.js';
import { keyHeader } from './idempotency-key.js';
import type { AbortSignalLike } from './options.js';
import type { SavedArtifact } from './resources.js';
import { requireFiles } from './platform.js';
import { readBody, saveBody } from './saving.js';
import { woundPath } from './wounds.js';

const MEDIA_TYPES: Readonly<Record<ReportFormat, string>> = {
  pdf: 'application/pdf',
  html: 'text/html',
  text: 'text/plain',
  json: 'application/json',
};
const REPORTS = '/api/v1/reports';
const LINK = /^https?:\/\/.*\/reports\/([^/?#]+)$/;

type Of<Options> = Options & { reportId: string };

/** Of a link only the id counts: the key goes nowhere but to the service that the client was made for. */
function reportPath(reportId: unknown): string {
  const id = typeof reportId === 'string' ? (LINK.exec(reportId)?.[1] ?? reportId) : reportId;
  return `${REPORTS}/${toSegment('reportId', id)}`;
}

function isReport({ id, version }: Record<string, unknown>): boolean {
  return typeof id === 'string' && typeof version === 'number';
}

/** The report with the tag of its answer. */
function tagged(connection: Connection): Reader<ReadReport> {
  const readJson = connection.json<ClinicalReport>(isReport);
  return async (response, watch) => {
    const report = await readJson(response, watch);
    const etag = response.headers.get('etag');
    if (etag === null) throw connection.malformed(response);
    return { ...report, etag };
  };
}

export function listReports(connection: Connection, { signal, ...filter }: ListReportsOptions): Promise<ReportPage> {
  return connection.send(
    { method: 'GET', path: withQuery(REPORTS, filter), signal },
    connection.json<ReportPage>(({ items }) => Array.isArray(items)),
  );
}

export function readReport(
  connection: Connection,
  reportId: string,
  signal: AbortSignalLike | undefined,
): Promise<ReadReport> {
  return connection.send(
    { method: 'GET', path: reportPath(reportId), headers: { accept: MEDIA_TYPES.json }, signal },
    tagged(connection),
  );
}

export async function readVersions(
  connection: Connection,
  reportId: string,
  signal: AbortSignalLike | undefined,
): Promise<ClinicalReport[]> {
  const read = connection.json<{ items: ClinicalReport[] }>(({ items }) => Array.isArray(items));
  return (await connection.send({ method: 'GET', path: `${reportPath(reportId)}/versions`, signal }, read)).items;
}

/** Takes nothing but the document that was asked for. What is not meant for this library goes to the service, which refuses a misspelt option. */
function fetchDocument<T>(
  connection: Connection,
  path: string,
  { format, language, signal, ...query }: DocumentOptions,
  take: Reader<T>,
): Promise<T> {
  if (!Object.hasOwn(MEDIA_TYPES, format))
    throw new TypeError(`format must be one of ${Object.keys(MEDIA_TYPES).join(', ')}.`);
  const mediaType = MEDIA_TYPES[format];
  const request = {
    method: 'GET',
    path: withQuery(path, { ...query, lang: language }),
    headers: { accept: mediaType },
    signal,
  };
  return connection.send(request, async (response, watch) => {
    if (response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === mediaType)
      return take(response, watch);
    await drain(response);
    throw connection.malformed(response);
  });
}

function versionPath(reportId: string, version: number | undefined): string {
  const path = reportPath(reportId);
  return version === undefined ? path : `${path}/versions/${toSegment('version', String(version))}`;
}

export function downloadReport(
  connection: Connection,
  { reportId, version, ...options }: Of<DownloadReportOptions>,
): Promise<DocumentBytes> {
  return fetchDocument(connection, versionPath(reportId, version), options, readBody);
}

export async function saveReport(
  connection: Connection,
  { reportId, version, path, ...options }: Of<SaveReportOptions>,
): Promise<SavedArtifact> {
  requireFiles();
  return fetchDocument(connection, versionPath(reportId, version), options, async (response, watch) => ({
    path,
    contentType: response.headers.get('content-type') ?? MEDIA_TYPES[options.format],
    sizeBytes: await saveBody(path, response, watch),
  }));
}

export function downloadCourse(
  connection: Connection,
  { woundId, ...options }: CourseReportOptions & { woundId: string },
): Promise<DocumentBytes> {
  return fetchDocument(connection, `${woundPath(woundId)}/report`, options, readBody);
}

export function downloadEvidence(
  connection: Connection,
  { woundId, ...options }: CourseReportOptions & { woundId: string },
): Promise<DocumentBytes> {
  return fetchDocument(connection, `${woundPath(woundId)}/evidence`, options, readBody);
}

/** Under one key through all attempts: after a lost answer the repeat gets the first one, where its tag would be stale by then. */
export async function reviewReport(
  connection: Connection,
  { id, etag }: Pick<ReadReport, 'id' | 'etag'>,
  review: ReportReview,
  { idempotencyKey, signal }: ReviewOptions,
): Promise<ReadReport> {
  // If-Match compares strongly (RFC 9110 13.1.1); a proxy that compresses makes the tag weak, but not another one.
  const ifMatch = typeof etag === 'string' ? etag.replace(/^W\//, '') : '';
  if (ifMatch === '') throw new TypeError('etag must be that of the report as getReport returned it.');
  const path = `${reportPath(id)}/reviews`;
  const headers = { ...(await keyHeader(idempotencyKey)), 'if-match': ifMatch };
  return connection.send({ method: 'POST', path, headers, json: withoutEmpty(review), signal }, tagged(connection));
}

/** Each attempt makes a link of its own: one whose answer was lost opens for nobody, and ends. */
export function linkTo(
  connection: Connection,
  { reportId, signal, ...wish }: Of<ReviewLinkOptions>,
): Promise<ReviewLink> {
  return connection.send(
    { method: 'POST', path: `${reportPath(reportId)}/review-links`, json: withoutEmpty(wish), signal },
    connection.json<ReviewLink>(({ url }) => typeof url === 'string'),
  );
}
