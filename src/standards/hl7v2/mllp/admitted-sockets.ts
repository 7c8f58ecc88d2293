import type { Socket } from 'node:net';

/** Silent connections of one address: a quarter of all, and at least so many. */
const LEAST_SILENT = 4;

/** `made-room`: admitted, and a silent connection, or one at rest, was closed for it. */
export type Admission = 'admitted' | 'made-room-silent' | 'made-room-idle' | 'refused-full';

interface Admitted {
  readonly socket: Socket;
  readonly address: string;
}
interface Spoken extends Admitted {
  /** Nothing of it is read, waits or is answered. */
  readonly isAtRest: () => boolean;
}

/**
 * The open sockets of a listener, from before their handshake on. A peer that has not sent a whole frame yet is silent, and costs its
 * sender nothing: one address has a quarter of the places for them, and the oldest makes room. Peers that have spoken keep their
 * places, however many share an address, as behind a proxy, until all are taken: then the address with the most gives the one that rested
 * longest to a newcomer of another, down to as many as that has. A frame costs little more than silence.
 */
export class AdmittedSockets {
  private readonly open = new Map<Socket, Admitted>();
  /** By the address and port of the peer, which a socket and TLS over it share. In the order of their coming. */
  private readonly silent = new Map<string, Admitted>();
  /** Likewise, the longest quiet first. */
  private readonly spoken = new Map<string, Spoken>();
  private readonly mostSilent: number;

  constructor(private readonly mostOpen: number) {
    this.mostSilent = Math.max(LEAST_SILENT, Math.floor(mostOpen / 4));
  }

  admit(socket: Socket): Admission {
    const { remoteAddress: address = '' } = socket;
    const ofAddress = [...this.silent.values()].filter((one) => one.address === address);
    const isFull = this.open.size >= this.mostOpen;
    const silent =
      ofAddress.length >= this.mostSilent ? ofAddress[0] : isFull ? this.silent.values().next().value : undefined;
    const leaving = silent ?? (isFull ? this.atRestOfTheLargest(address) : undefined);
    if (leaving === undefined && isFull) return 'refused-full';
    if (leaving !== undefined) this.close(leaving.socket);
    const key = keyOf(socket);
    this.open.set(socket, { socket, address });
    this.silent.set(key, { socket, address });
    socket.once('close', () => {
      this.open.delete(socket);
      for (const kept of [this.silent, this.spoken]) if (kept.get(key)?.socket === socket) kept.delete(key);
    });
    return leaving === undefined ? 'admitted' : silent === undefined ? 'made-room-idle' : 'made-room-silent';
  }

  /** A whole frame came over it, or over TLS on top of it. */
  hasSpoken(socket: Socket, isAtRest: () => boolean): void {
    const key = keyOf(socket);
    const admitted = this.silent.get(key) ?? this.spoken.get(key);
    if (admitted === undefined) return;
    this.silent.delete(key);
    this.spoken.delete(key);
    this.spoken.set(key, { socket: admitted.socket, address: admitted.address, isAtRest });
  }

  destroy(): void {
    for (const socket of this.open.keys()) socket.destroy();
  }

  /** For a newcomer of this address, which must not end up with more. */
  private atRestOfTheLargest(newcomer: string): Spoken | undefined {
    const places = new Map<string, number>();
    for (const { address } of this.open.values()) places.set(address, (places.get(address) ?? 0) + 1);
    const most = Math.max(...places.values());
    if (most < (places.get(newcomer) ?? 0) + 2) return undefined;
    return [...this.spoken.values()].find(({ address, isAtRest }) => places.get(address) === most && isAtRest());
  }

  /** Frees its place at once, before the close event. */
  private close(socket: Socket): void {
    const key = keyOf(socket);
    this.silent.delete(key);
    this.spoken.delete(key);
    this.open.delete(socket);
    socket.destroy();
  }
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
