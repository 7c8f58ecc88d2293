import type { Socket } from 'node:net';

/** Silent connections of one address: a quarter of all, and at least so many. */
const LEAST_SILENT = 4;

interface Admitted {
  readonly socket: Socket;
  readonly address: string;
}

/**
 * The open sockets of a listener, from before their handshake on. A peer that has not sent a whole frame yet is silent, and costs its
 * sender nothing: one address has a quarter of the places for them, and the oldest makes room. Peers that have spoken keep their
 * places, however many share an address, as behind a proxy.
 */
export class AdmittedSockets {
  /** By the address and port of the peer, which a socket and TLS over it share. In the order of their coming. */
  private readonly silent = new Map<string, Admitted>();
  private readonly open = new Set<Socket>();
  private readonly mostSilent: number;

  constructor(private readonly mostOpen: number) {
    this.mostSilent = Math.max(LEAST_SILENT, Math.floor(mostOpen / 4));
  }

  /** `made-room`: admitted, and a silent one was closed for it. */
  admit(socket: Socket): 'admitted' | 'made-room' | 'refused-full' {
    const { remoteAddress: address = '' } = socket;
    const ofAddress = [...this.silent.values()].filter((one) => one.address === address);
    const isFull = this.open.size >= this.mostOpen;
    const leaving =
      ofAddress.length >= this.mostSilent ? ofAddress[0] : isFull ? this.silent.values().next().value : undefined;
    if (leaving === undefined && isFull) return 'refused-full';
    if (leaving !== undefined) this.close(leaving.socket);
    this.open.add(socket);
    const key = keyOf(socket);
    this.silent.set(key, { socket, address });
    socket.once('close', () => {
      this.open.delete(socket);
      if (this.silent.get(key)?.socket === socket) this.silent.delete(key);
    });
    return leaving === undefined ? 'admitted' : 'made-room';
  }

  /** A whole frame came over it, or over TLS on top of it. */
  hasSpoken(socket: Socket): void {
    this.silent.delete(keyOf(socket));
  }

  destroy(): void {
    for (const socket of this.open) socket.destroy();
  }

  /** Frees its place at once, before the close event. */
  private close(socket: Socket): void {
    this.silent.delete(keyOf(socket));
    this.open.delete(socket);
    socket.destroy();
  }
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
