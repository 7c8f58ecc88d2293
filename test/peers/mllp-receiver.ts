import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { frame, FrameCollector } from './mllp-frames.js';
import { freePort } from '../support/free-port.js';

/**
 * How an EHR treats results. `late`: the acknowledgment is kept back until `releaseLate`. `wrong-id` acknowledges another message than it got.
 * `hang-up` closes without an answer, `garbage` answers what is no acknowledgment. `accept-then-error`: the application's refusal in the same
 * packet as the accept acknowledgment.
 */
export type ReceiverMode =
  | 'accept'
  | 'accept-then-error'
  | 'silent'
  | 'error'
  | 'reject'
  | 'wrong-id'
  | 'late'
  | 'hang-up'
  | 'garbage';

interface Refusal {
  /** ERR-3 of AE and AR. */
  readonly condition: string;
  /** What follows ERR-4: ERR-5 and so on, raw. */
  readonly rest?: string;
  /** MSA-3. */
  readonly text?: string;
}

/** The half of an EHR that receives results and acknowledges them, in whichever way it is told. */
export class EhrReceiver {
  mode: ReceiverMode = 'accept';
  refusal: Refusal = { condition: '207' };
  /** Of single messages; undefined: as `mode` says. */
  modeOf: (message: string) => ReceiverMode | undefined = () => undefined;
  connectionsSoFar = 0;
  private readonly collector = new FrameCollector();
  private readonly sockets = new Set<Socket>();
  private readonly kept: (() => void)[] = [];
  private readonly server: Server;

  private constructor(tls: TlsOptions | undefined) {
    this.server = tls === undefined ? createServer() : createTlsServer(tls);
    this.server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => this.serve(socket));
    this.server.on('tlsClientError', () => undefined);
  }

  static async start({
    port,
    tls,
    mode = 'accept',
  }: { readonly port?: number; readonly tls?: TlsOptions; readonly mode?: ReceiverMode } = {}): Promise<EhrReceiver> {
    const receiver = new EhrReceiver(tls);
    receiver.mode = mode;
    const free = port ?? (await freePort());
    await new Promise<void>((started, failed) =>
      receiver.server.once('error', failed).listen(free, '127.0.0.1', started),
    );
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Everything that arrived, resends included. */
  get messages(): readonly string[] {
    return this.collector.messages.map((message) => message.toString('utf8'));
  }

  async waitFor(count: number): Promise<readonly string[]> {
    await this.collector.waitFor(count);
    return this.messages;
  }

  /** Sends the acknowledgments that mode `late` kept back, where their connections still are. */
  releaseLate(): void {
    for (const answer of this.kept.splice(0)) answer();
  }

  /** Sends bytes of its own to everyone who is connected. */
  say(message: string): void {
    for (const socket of this.sockets) socket.write(frame(message));
  }

  disconnectAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    this.disconnectAll();
    await closed;
  }

  private serve(socket: Socket): void {
    this.connectionsSoFar += 1;
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    // Frames of one connection; the messages of all are kept together.
    const frames = new FrameCollector();
    socket.on('data', (chunk: Buffer) => {
      for (const message of frames.push(chunk)) {
        this.answer(socket, message.toString('utf8'));
        this.collector.push(frame(message));
      }
    });
  }

  private answer(socket: Socket, message: string): void {
    const isEnhanced = headerField(message, 15) !== '' || headerField(message, 16) !== '';
    const reply = (code: 'A' | 'E' | 'R', controlId = headerField(message, 10)) =>
      socket.write(
        frame(acknowledge(message, `${isEnhanced ? 'C' : 'A'}${code}`, controlId, code === 'A' ? null : this.refusal)),
      );
    switch (this.modeOf(message) ?? this.mode) {
      case 'accept-then-error':
        return void socket.write(
          Buffer.concat([
            frame(acknowledge(message, 'CA', headerField(message, 10))),
            frame(acknowledge(message, 'AE', headerField(message, 10), this.refusal)),
          ]),
        );
      case 'accept':
        return void reply('A');
      case 'error':
        return void reply('E');
      case 'reject':
        return void reply('R');
      case 'wrong-id':
        return void reply('A', 'ANOTHER-ONE');
      case 'late':
        return void this.kept.push(() => reply('A'));
      case 'hang-up':
        return void socket.end();
      case 'garbage':
        return void socket.write(frame('OK'));
      case 'silent':
    }
  }
}

/** An acknowledgment of a message, as an EHR writes it. */
export function acknowledge(
  message: string,
  code: string,
  controlId: string,
  refusal: Refusal | string | null = null,
): string {
  const version = headerField(message, 12);
  const {
    condition,
    rest = '',
    text = '',
  }: Refusal = typeof refusal === 'string' ? { condition: refusal } : (refusal ?? { condition: '' });
  const error = refusal === null ? '' : `ERR||MSH^1|${condition}^refused^HL70357|E${rest === '' ? '' : `|${rest}`}\r`;
  return `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094100||ACK|EHR-${controlId}|${headerField(message, 11)}|${version}\rMSA|${code}|${controlId}${text === '' ? '' : `|${text}`}\r${error}`;
}

/** MSH field of a message with the usual separator. */
export function headerField(message: string, position: number): string {
  return (message.split('\r', 1)[0] ?? '').split('|')[position - 1] ?? '';
}
