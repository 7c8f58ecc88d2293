import { BlockList, createServer, isIP, isIPv6, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContextOptions,
  type Server as TlsServer,
  type TLSSocket,
} from 'node:tls';
import { certificateNames, isNamedIn } from './certificates.js';
import { faultCodeOf } from './client-socket.js';
import { ListenerConnection, type ConnectionLimits } from './listener-connection.js';
import type { MllpHandler } from './mllp-handler.js';
import { AdmittedSockets } from './admitted-sockets.js';
import { SYSTEM_TIMERS, type Timers } from './mllp-timers.js';
import { isWithoutTls } from './other-protocol.js';

export interface MllpTls {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  /** PEM of the authorities of client certificates; absent: no certificate is asked for. */
  readonly clientAuthorities?: string;
  /** Refuses clients without a valid certificate. */
  readonly requireClientCertificate: boolean;
  /**
   * Common, DNS or URI names or addresses; a client certificate without one of them is refused. Empty or absent: all
   * that the authorities signed.
   */
  readonly clientNames?: readonly string[];
}

export interface MllpListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly tls: MllpTls | null;
  readonly maxFrameBytes: number;
  /** Default: 64. */
  readonly maxConnections?: number;
  /** `10.0.0.0/8`, `2001:db8::/32`, single addresses; empty or absent: any peer. */
  readonly allowedNetworks?: readonly string[];
  /** Time without a byte after which a connection is closed, and that until its first frame begins; 0: any. Default: 10 minutes, and one. */
  readonly idleMs?: number;
  readonly firstFrameMs?: number;
  readonly timers?: Timers;
}

const MAX_CONNECTIONS = 64;
const HANDSHAKE_TIMEOUT_MS = 10_000;
const STOP_GRACE_MS = 25_000;
const LIMITS: Omit<ConnectionLimits, 'maxFrameBytes'> = {
  maxJunkBytes: 1024 * 1024,
  readAheadFrames: 16,
  readAheadBytes: 1024 * 1024,
  idleMs: 10 * 60_000,
  firstFrameMs: 60_000,
  halfFrameMs: 30_000,
  lingerMs: 2_000,
};

/**
 * Listens on a port for messages in MLLP frames, with TLS of at least 1.2 where it is set. Peers outside the networks
 * are closed at once, as are those beyond the connection limit where none makes room; so are those that begin no frame within a minute, are silent for 10
 * minutes, for 30 s within a frame, or send 1 MiB outside of any.
 */
export class MllpListener {
  private readonly server: Server;
  private readonly admitted: AdmittedSockets;
  private readonly connections = new Set<ListenerConnection>();
  private readonly networks: BlockList | null;
  private readonly timers: Timers;

  constructor(
    private readonly options: MllpListenerOptions,
    private readonly handler: MllpHandler,
  ) {
    this.admitted = new AdmittedSockets(options.maxConnections ?? MAX_CONNECTIONS);
    this.timers = options.timers ?? SYSTEM_TIMERS;
    this.networks = networksOf(options.allowedNetworks ?? []);
    this.server = this.createServer();
    this.server.on('connection', (socket: Socket) => this.admit(socket));
    if (options.tls === null) this.server.on('connection', (socket: Socket) => this.serve(socket));
    else this.server.on('secureConnection', (socket: TLSSocket) => this.serveNamed(socket));
  }

  /** Rejects with the error of node:net (EADDRINUSE, EADDRNOTAVAIL, EACCES). */
  async start(): Promise<void> {
    const { host, port } = this.options;
    await new Promise<void>((started, failed) => {
      this.server.once('error', failed);
      this.server.listen({ host, port }, () => {
        this.server.off('error', failed);
        // Faults of single connections that could not be accepted.
        this.server.on('error', () => undefined);
        started();
      });
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo | null)?.port ?? this.options.port;
  }

  get connectionCount(): number {
    return this.connections.size;
  }

  /**
   * Accepts no further connection or frame, answers the frames in work, and closes. Connections still open after
   * `graceMs` are cut off.
   */
  async stop(graceMs: number = STOP_GRACE_MS): Promise<void> {
    const closed = new Promise<void>((done) => this.server.close(() => done()));
    const connections = [...this.connections];
    for (const connection of connections) connection.stop();
    const overdue = this.timers.start(graceMs, () => this.admitted.destroy());
    // The server closes a moment before the last of its sockets.
    await Promise.all([closed, ...connections.map((connection) => connection.closed)]);
    overdue.stop();
  }

  /**
   * Takes effect from the next connection on; open ones stay. Throws the fault of OpenSSL (a key of another certificate) and keeps the present certificate.
   */
  renewTls(tls: MllpTls): void {
    const renewed = contextOf(tls);
    createSecureContext(renewed);
    (this.server as TlsServer).setSecureContext(renewed);
  }

  private createServer(): Server {
    const { tls } = this.options;
    // A peer may close its side right after its last frame and still gets the answers.
    if (tls === null) return createServer({ allowHalfOpen: true });
    const server = createTlsServer({
      ...contextOf(tls),
      requestCert: tls.requireClientCertificate || tls.clientAuthorities !== undefined,
      rejectUnauthorized: tls.requireClientCertificate,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      allowHalfOpen: true,
    });
    server.on('tlsClientError', (fault, socket) => {
      // The reason why a certificate was rejected; the fault itself only says that the connection ended.
      const disbelief = socket.authorizationError as unknown;
      const code = faultCodeOf({ code: disbelief }) ?? faultCodeOf(fault);
      this.handler.onEvent?.(
        isWithoutTls(code)
          ? { kind: 'other-protocol', protocol: 'plain', address: socket.remoteAddress ?? '' }
          : { kind: 'tls-failed', code },
      );
      socket.destroy();
    });
    return server;
  }

  /** Runs before the handshake, so that a refused peer costs nothing more. */
  private admit(socket: Socket): void {
    socket.on('error', () => undefined);
    const outcome = this.isAllowed(socket) ? this.admitted.admit(socket) : 'refused-network';
    if (outcome === 'admitted') return;
    if (outcome === 'made-room-silent') return this.handler.onEvent?.({ kind: 'silent-closed' });
    if (outcome === 'made-room-idle') return this.handler.onEvent?.({ kind: 'idle-closed' });
    this.handler.onEvent?.({ kind: outcome });
    socket.destroy();
  }

  private serveNamed(socket: TLSSocket): void {
    const allowed = this.options.tls?.clientNames ?? [];
    if (
      allowed.length === 0 ||
      (socket.authorized && isNamedIn(allowed, certificateNames(socket.getPeerCertificate())))
    )
      return this.serve(socket);
    this.handler.onEvent?.({ kind: 'tls-failed', code: 'CLIENT_NAME_NOT_ALLOWED' });
    socket.destroy();
  }

  private serve(socket: Socket): void {
    if (socket.destroyed) return;
    const { maxFrameBytes, idleMs = LIMITS.idleMs, firstFrameMs = LIMITS.firstFrameMs } = this.options;
    const limits = { ...LIMITS, maxFrameBytes, idleMs, firstFrameMs };
    const connection = new ListenerConnection(socket, this.handler, limits, this.timers);
    this.connections.add(connection);
    connection.onSpoken((isAtRest) => this.admitted.hasSpoken(socket, isAtRest));
    void connection.closed.then(() => this.connections.delete(connection));
    if (!this.server.listening) connection.stop();
  }

  private isAllowed({ remoteAddress }: Socket): boolean {
    if (this.networks === null) return true;
    return remoteAddress !== undefined && this.networks.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4');
  }
}

function contextOf({ key, certificate, clientAuthorities }: MllpTls): SecureContextOptions {
  return {
    key,
    cert: certificate,
    ...(clientAuthorities === undefined ? {} : { ca: clientAuthorities }),
    minVersion: 'TLSv1.2',
  };
}

/** RangeError for anything but an address or network. */
function networksOf(allowed: readonly string[]): BlockList | null {
  if (allowed.length === 0) return null;
  const list = new BlockList();
  for (const network of allowed) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
      throw new RangeError('Not a network in CIDR notation.');
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
