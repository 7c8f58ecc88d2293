import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { frame, FrameCollector } from './mllp-frames.js';

/** The half of an EHR that sends: what it writes is up to the test, down to single bytes. */
export class EhrSender {
  private readonly collector = new FrameCollector();
  private hasEnded = false;
  readonly closed: Promise<void>;

  private constructor(readonly socket: Socket) {
    this.closed = new Promise((done) => socket.once('close', () => done()));
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => void this.collector.push(chunk));
    for (const event of ['end', 'close']) {
      socket.once(event, () => {
        this.hasEnded = true;
        this.collector.end();
      });
    }
  }

  /** With `tls` in TLS, by these options of node:tls. `from`: own address. */
  static async connect(
    port: number,
    {
      host = '127.0.0.1',
      from,
      tls,
    }: { readonly host?: string; readonly from?: string; readonly tls?: ConnectionOptions } = {},
  ): Promise<EhrSender> {
    const socket =
      tls === undefined
        ? connect({ host, port, noDelay: true, ...(from === undefined ? {} : { localAddress: from }) })
        : connectTls({ host, port, ...tls });
    const sender = new EhrSender(socket);
    const isOpen = once(socket, tls === undefined ? 'connect' : 'secureConnect').then(() => true);
    if (!(await Promise.race([isOpen, sender.closed.then(() => false)]))) throw new Error('not connected');
    return sender;
  }

  /** Acknowledgments so far. */
  get answers(): readonly Buffer[] {
    return this.collector.messages;
  }

  write(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  send(message: string | Uint8Array): void {
    this.write(frame(message));
  }

  /** Sends a message and waits for the next answer; null: the connection ended without. */
  async ask(message: string | Uint8Array): Promise<string | null> {
    this.send(message);
    return this.nextAnswer();
  }

  async nextAnswer(): Promise<string | null> {
    const answer = await this.collector.next(() => this.hasEnded);
    return answer === null ? null : answer.toString('utf8');
  }

  waitForAnswers(count: number): Promise<readonly Buffer[]> {
    return this.collector.waitFor(count);
  }

  /** Closes after everything is written; answers are still read. */
  end(): void {
    this.socket.end();
  }

  /** Gone at once, as a process that was killed. */
  async destroy(): Promise<void> {
    this.socket.destroy();
    await this.closed;
  }
}
