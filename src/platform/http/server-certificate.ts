import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { SettingsError, type Settings } from '../config/settings.js';
import type { Logger } from '../logging/logger.js';

const LOOK_EVERY_MS = 5000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Of one handshake: less than a stop waits for answers. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

type TlsSettings = Settings['tls'];

/** What `https.createServer` takes beside the limits of HTTP. */
type TlsOptions = SecureContextOptions & { readonly handshakeTimeout: number };

interface Identity {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * The certificate and the key of the HTTP server, in PEM. The files are read again when they change, so that a renewed certificate needs no restart:
 * connections that are open go on with the old one. Files that do not fit together leave the old one in place (`http.certificate_unusable`).
 */
export class ServerCertificate {
  private shown: string;
  private lastReason = '';
  private validTo: Date;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly settings: Required<TlsSettings> & { readonly certFile: string; readonly keyFile: string },
    private readonly identity: Identity,
    private readonly logger: Pick<Logger, 'info' | 'error'> | undefined,
  ) {
    this.shown = digestOf(identity);
    this.validTo = new Date(requireFit(identity).validTo);
  }

  /** null where the settings name no files. SettingsError: the files cannot be read, or do not fit together. */
  static read(settings: TlsSettings, logger?: Pick<Logger, 'info' | 'error'>): ServerCertificate | null {
    const { certFile, keyFile } = settings;
    if (certFile === undefined || keyFile === undefined) return null;
    try {
      const identity = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
      return new ServerCertificate({ ...settings, certFile, keyFile }, identity, logger);
    } catch (fault) {
      throw new SettingsError(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${reasonOf(fault)}`);
    }
  }

  get options(): TlsOptions {
    return { ...this.context(this.identity), handshakeTimeout: HANDSHAKE_TIMEOUT_MS };
  }

  /** Until it ends; negative after that. */
  daysLeft(nowMs: number): number {
    return (this.validTo.getTime() - nowMs) / DAY_MS;
  }

  /** Looks for changed files until `stop`. */
  follow(server: Pick<Server, 'setSecureContext'>, everyMs = LOOK_EVERY_MS): void {
    this.timer = setInterval(() => void this.look(server), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(server: Pick<Server, 'setSecureContext'>): Promise<void> {
    try {
      const [cert, key] = await Promise.all([readFile(this.settings.certFile), readFile(this.settings.keyFile)]);
      const digest = digestOf({ cert, key });
      if (digest === this.shown) return;
      this.shown = digest;
      this.lastReason = '';
      const { validTo } = requireFit({ cert, key });
      this.validTo = new Date(validTo);
      server.setSecureContext(this.context({ cert, key }));
      this.logger?.info('http.certificate_changed', { validTo });
    } catch (fault) {
      const reason = reasonOf(fault);
      if (reason !== this.lastReason) this.logger?.error('http.certificate_unusable', { reason });
      this.lastReason = reason;
    }
  }

  private context({ cert, key }: Identity): SecureContextOptions {
    return { cert, key, minVersion: this.settings.minVersion };
  }
}

/** The first certificate of the file is the server's own (RFC 8446 4.4.2). */
function requireFit({ cert, key }: Identity): X509Certificate {
  const own = new X509Certificate(cert);
  if (!own.checkPrivateKey(createPrivateKey(key))) throw new Error('the key is not that of the certificate');
  return own;
}

function digestOf({ cert, key }: Identity): string {
  return createHash('sha256').update(cert).update('\0').update(key).digest('hex');
}

/** Says nothing of the key's text. */
function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message.split('\n')[0]!.slice(0, 200) : 'unknown fault';
}
