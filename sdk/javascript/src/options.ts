import type { AnalysisJob, Calibration, ClinicianObservations, JobSubject, UploadTicket } from './resources.js';

// Shapes and not the platform's own types: they hold with @types/node, with lib.dom and with neither.

/** An AbortSignal. */
export interface AbortSignalLike {
  aborted: boolean;
  reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A Blob or File. */
export interface BlobLike {
  size: number;
  stream(): unknown;
}

/** A web ReadableStream of bytes. */
export interface ReadableStreamLike {
  getReader(): unknown;
}

/**
 * A photo: a path (or `file:` URL), bytes (Buffer, Uint8Array, ArrayBuffer), a Blob or File, or a stream of bytes.
 * A stream is written to a temporary file first, never held in memory; JPEG, PNG and WebP are told by their first bytes.
 */
export type PhotoFile =
  | string
  | { href: string; protocol: string }
  | Uint8Array
  | ArrayBuffer
  | BlobLike
  | ReadableStreamLike
  | AsyncIterable<Uint8Array>;

/** What is told about a running call. */
export type Progress = { phase: 'upload'; sentBytes: number; totalBytes: number } | { phase: 'wait'; job: AnalysisJob };

/** `console` and most loggers fit. */
export interface Logger {
  debug(message: string, fields: Record<string, unknown>): void;
}

export interface ClientOptions {
  /** Default: the environment variable SUTURA_API_KEY. */
  apiKey?: string;
  /** Default: SUTURA_BASE_URL, else http://127.0.0.1:3000. */
  baseUrl?: string;
  /** Longest wait for one answer, and longest silence within an upload or download. Default 60,000. */
  timeoutMs?: number;
  /** How often one request is repeated after a passing fault. Default 3. */
  maxRetries?: number;
  /** A `Retry-After` beyond this is not waited for. Default 60,000. */
  maxRetryAfterMs?: number;
  /** In a page, which anybody can read, a live key is refused without it. On a server it has no effect. */
  dangerouslyAllowBrowser?: boolean;
  /** Gets a line per request: method, path, status, attempt, duration and request id. */
  logger?: Logger;
  /** Default: the platform's own. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- so that every fetch fits, whoever declares it
  fetch?: (url: string, init: any) => Promise<any>;
}

export interface CallOptions {
  /** Ends the call at once; it rejects with the signal's reason. */
  signal?: AbortSignalLike;
}

export interface ProgressOptions {
  onProgress?: (progress: Progress) => void;
}

export interface UploadUrlOptions extends CallOptions {
  contentType?: string;
  contentLength?: number;
  /** Hexadecimal. */
  sha256?: string;
}

/** Spread the ticket: `{ ...ticket, file }`. */
export interface UploadOptions extends CallOptions, ProgressOptions, Partial<Omit<UploadTicket, 'uploadUrl'>> {
  uploadUrl: string;
  file: PhotoFile;
}

/** What goes with a photo. */
export interface JobDetails {
  /** Free clinical text, up to 4,000 characters. */
  clinicalContext?: string | null;
  subject?: JobSubject | null;
  /** RFC 3339 with an offset, or a Date. Default: now. */
  capturedAt?: string | Date | null;
  calibration?: Calibration | null;
  clinicianObservations?: ClinicianObservations | null;
  priority?: 'routine' | 'stat' | null;
  /** Up to 16 pairs of your own. */
  metadata?: Record<string, string> | null;
  /** Default: a new one per call, kept over its retries. Your own makes a repeat by your program harmless too, of upload and job together. */
  idempotencyKey?: string;
}

export interface CreateJobOptions extends CallOptions, JobDetails {
  imageId: string;
}

export interface WaitOptions extends CallOptions, ProgressOptions {
  /** For the whole wait. Default 300,000. */
  timeoutMs?: number;
  /** Between two looks. Default: what the service asks for, else 1 s growing to 5 s. */
  intervalMs?: number;
  /** false: do not let the service hold the answer back until the job has ended. */
  longPoll?: boolean;
  /** false: return a job that ended in `error` instead of throwing JobFailedError. */
  throwOnError?: boolean;
}

export interface AnalyzeOptions extends CallOptions, ProgressOptions, JobDetails {
  file: PhotoFile;
}

export interface AnalyzeAndWaitOptions extends AnalyzeOptions, WaitOptions {}

export interface JobFilter {
  status?: string;
  patientId?: string;
  woundId?: string;
  createdAfter?: string | Date;
  /** Only jobs with all of these pairs of your own, at most 4. */
  metadata?: Record<string, string>;
  /** Jobs on a page, 1 to 100. Default 20. */
  limit?: number;
}

export interface ListJobsOptions extends CallOptions, JobFilter {
  /** The `nextCursor` of the page before. */
  cursor?: string;
}

export interface DownloadOptions extends CallOptions {
  jobId: string;
  artifact: 'mask' | 'overlay' | 'tissue';
  /** An existing file is replaced, once the whole picture is there. */
  path: string;
}
