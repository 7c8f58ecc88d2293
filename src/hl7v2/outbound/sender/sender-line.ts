import { readFile } from 'node:fs/promises';
import type { Acknowledgment } from '../../mllp/acknowledgment.js';
import type { MllpClientTls } from '../../mllp/client-socket.js';
import { MllpClient } from '../../mllp/mllp-client.js';
import type { DestinationSettings } from '../hl7-destination.js';

/** The connection to one destination, as its sender uses it. */
export interface SenderLine {
  /** Rejects where there was no acknowledgment. */
  send(message: Uint8Array, controlId: string, timeoutMs: number): Promise<Acknowledgment>;
  /** For a message that is not answered. */
  transmit(message: Uint8Array, timeoutMs: number): Promise<void>;
  close(): void;
}

/** Opens lines; tests give another one. */
export abstract class SenderLines {
  /** `onOther`: acknowledgments of messages that are not in flight. Rejects where the files of its TLS cannot be read. */
  abstract open(settings: DestinationSettings, onOther: (acknowledgment: Acknowledgment) => void): Promise<SenderLine>;
}

/** Lines over MLLP. */
export class MllpLines extends SenderLines {
  async open(
    { host, port, tls }: DestinationSettings,
    onOther: (acknowledgment: Acknowledgment) => void,
  ): Promise<SenderLine> {
    return new MllpClient({ host, port, tls: tls === null ? null : await readClientTls(tls), onOther });
  }
}

/** PEM of the files, read when the connection is made. Rejects where one cannot be read. */
export async function readClientTls({
  caFile,
  certFile,
  keyFile,
  serverName,
}: NonNullable<DestinationSettings['tls']>): Promise<MllpClientTls> {
  const [authorities, certificate, key] = await Promise.all(
    [caFile, certFile, keyFile].map((file) => (file === undefined ? undefined : readFile(file, 'utf8'))),
  );
  return {
    ...(authorities === undefined ? {} : { authorities }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { serverName }),
  };
}
