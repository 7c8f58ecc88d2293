import { Injectable } from '@nestjs/common';
import type { Hl7Destination } from '../hl7-destination.js';
import { probeLine, type LineReport } from '../../mllp/probe-line.js';
import { readClientTls } from './sender-line.js';

/** Longest time for a connection and its handshake. */
const TIMEOUT_MS = 10_000;

/** Tries a destination's line without sending anything: what a receiver does with a message only a message shows. */
@Injectable()
export class DestinationTest {
  /** Never rejects: what went wrong is the answer. */
  async run({ settings: { host, port, tls } }: Pick<Hl7Destination, 'settings'>): Promise<LineReport> {
    try {
      return await probeLine({ host, port, tls: tls === null ? null : await readClientTls(tls) }, TIMEOUT_MS);
    } catch (fault) {
      const code = (fault as { code?: unknown } | null)?.code;
      return {
        reached: false,
        fault: typeof code === 'string' ? `not_opened ${code}` : 'not_opened',
        certificate: null,
      };
    }
  }
}
