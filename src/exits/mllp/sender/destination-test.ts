import { Injectable } from '@nestjs/common';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { probeLine, type LineReport } from '../../../standards/hl7v2/mllp/probe-line.js';
import { notOpened, readClientTls } from './mllp-transport.js';

/** Longest time for a connection and its handshake. */
const TIMEOUT_MS = 10_000;

/** Tries the connection to a destination without sending anything: only a message shows what a receiver does with one. */
@Injectable()
export class DestinationTest {
  /** Never rejects: a fault is part of the answer. */
  async run({ settings: { host, port, tls } }: Pick<Hl7Destination, 'settings'>): Promise<LineReport> {
    try {
      return await probeLine({ host, port, tls: tls === null ? null : await readClientTls(tls) }, TIMEOUT_MS);
    } catch (fault) {
      return { reached: false, fault: notOpened(fault), certificate: null };
    }
  }
}
