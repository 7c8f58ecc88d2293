import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Settings } from '../config/settings.js';

/**
 * The base of the absolute URLs that are handed out. To be asked when a URL is made, as with PORT=0 and no PUBLIC_URL
 * it is known only once the server listens.
 */
@Injectable()
export class PublicAddress {
  constructor(
    private readonly settings: Settings,
    private readonly host: HttpAdapterHost,
  ) {}

  /** PUBLIC_URL, else the address that the server listens on; without a trailing slash. */
  get url(): string {
    const { publicUrl, host } = this.settings.http;
    const scheme = this.settings.tls.certFile === undefined ? 'http' : 'https';
    return publicUrl?.replace(/\/+$/, '') ?? `${scheme}://${reachable(host)}:${this.port}`;
  }

  /** The port that the server listens on; before that, and where there is no server, the one of the settings. */
  get port(): number {
    const { port } = this.settings.http;
    return port === 0 ? this.portTaken() : port;
  }

  private portTaken(): number {
    const server = this.host.httpAdapter?.getHttpServer() as { address(): unknown } | undefined;
    const address = server?.address();
    return typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : 0;
  }
}

/** The host of an address to reach a server that is bound to `HOST` (RFC 3986 3.2.2). */
function reachable(boundTo: string): string {
  if (boundTo === '0.0.0.0') return '127.0.0.1';
  if (boundTo === '::') return '[::1]';
  return boundTo.includes(':') ? `[${boundTo.split('%')[0]}]` : boundTo;
}
