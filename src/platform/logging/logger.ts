import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { LogOutput } from './log-output.js';

/**
 * The values of a log line: ids, counts, durations, codes. Never clinical text, keys, signatures, file names or
 * addresses with a query.
 */
type LogFields = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** A request that has ended. */
interface RequestFields {
  readonly method: string;
  /** The pattern of the route; null if no route has the address. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  readonly requestId: string;
  readonly keyId: string | null;
  readonly code?: string;
}

const KEY_TEXT = /sut_(live|test)_[0-9A-Za-z]{4,}/g;
const SIGNATURE = /((?:signature|X-Amz-Signature|X-Amz-Credential)=)[^&\s"]+/gi;

/** Masks secret values in every log line. */
function maskSecrets(text: string): string {
  return text.replace(KEY_TEXT, 'sut_$1_***').replace(SIGNATURE, '$1***');
}

let shared: LogOutput | undefined;

/** One output for the process, which writes the gathered lines when it ends. */
function standardOutput(): LogOutput {
  if (shared === undefined) {
    const output = new LogOutput();
    process.once('exit', () => output.flush());
    shared = output;
  }
  return shared;
}

/** JSON lines. Events are `area.verb`; there are no free sentences. */
export class Logger {
  private constructor(
    private readonly pino: PinoLogger,
    /** Logs a line that comes by the thousand: gathered, and written a moment later. */
    private readonly gathering: PinoLogger,
  ) {}

  static create(level: string, destination?: DestinationStream): Logger {
    const options = {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      messageKey: 'event',
    };
    if (destination !== undefined) {
      const given = pino(options, destination);
      return new Logger(given, given);
    }
    const output = standardOutput();
    return new Logger(pino(options, output), pino(options, { write: (line) => output.writeSoon(line) }));
  }

  debug(event: string, fields: LogFields = {}): void {
    this.pino.debug(this.clean(fields), event);
  }

  /**
   * Logs one request as `http.request`. All its fields come from this service but the caller's own request id, which
   * alone is masked.
   */
  request(fields: RequestFields, level: 'debug' | 'info'): void {
    if (!this.gathering.isLevelEnabled(level)) return;
    const { requestId } = fields;
    this.gathering[level](
      requestId.includes('sut_') ? { ...fields, requestId: maskSecrets(requestId) } : fields,
      'http.request',
    );
  }

  info(event: string, fields: LogFields = {}): void {
    this.pino.info(this.clean(fields), event);
  }

  warn(event: string, fields: LogFields = {}): void {
    this.pino.warn(this.clean(fields), event);
  }

  error(event: string, fields: LogFields = {}, cause?: unknown): void {
    this.pino.error({ ...this.clean(fields), ...describeCause(cause) }, event);
  }

  private clean(fields: LogFields): LogFields {
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? maskSecrets(value) : value]),
    );
  }
}

/** The kind and place of a fault. Its message is left out if it may quote data, as those of database drivers do. */
function describeCause(cause: unknown): LogFields {
  if (!(cause instanceof Error)) return {};
  const code = (cause as { code?: unknown }).code;
  const stack = (cause.stack ?? '')
    .split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .slice(0, 8);
  return { error: cause.name, ...(typeof code === 'string' ? { code } : {}), stack };
}
