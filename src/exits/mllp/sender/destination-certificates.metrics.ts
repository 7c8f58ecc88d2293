import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../core/ports/clock.js';
import { MetricReading } from '../../../platform/health/metric-reading.js';
import { labelledGaugeOf, type LabelledValue } from '../../../platform/health/shared-metrics.js';
import { certificateDays } from '../../../standards/hl7v2/mllp/certificates.js';
import { DestinationRegister } from '../destinations/destination-register.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** How long the certificates of destinations are good: our own that we show, and the authorities that the receiver's is checked by. */
@Injectable()
export class DestinationCertificateMetrics implements OnModuleInit {
  constructor(
    private readonly register: DestinationRegister,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const reading = new MetricReading(() => this.days());
    labelledGaugeOf(
      'sutura_hl7_destination_certificate_days',
      'Whole days until the own certificate of a destination ends, or the last of its authorities, whichever is first',
      ['destination'],
      async () => (await reading.latest()) ?? [],
    );
  }

  private async days(): Promise<readonly LabelledValue[]> {
    const now = this.clock.now();
    const destinations = (await this.register.all()).filter(({ enabled }) => enabled);
    const ends = await Promise.all(destinations.map((destination) => endOf(destination)));
    return destinations.flatMap(({ id }, index) => {
      const end = ends[index] ?? null;
      return end === null ? [] : [{ labels: { destination: id }, value: certificateDays(end, now) }];
    });
  }
}

/** null: no TLS, or files that this process cannot read; other alarms tell that it cannot send. */
async function endOf({ settings: { tls } }: Hl7Destination): Promise<Date | null> {
  if (tls === null) return null;
  const [own = [], authorities = []] = await Promise.all([tls.certFile, tls.caFile].map(endsIn));
  // Of a bundle the last one counts: authorities that have ended are often left in it.
  const ends = [...own.slice(0, 1), ...latest(authorities)];
  return ends.length === 0 ? null : new Date(Math.min(...ends));
}

function latest(ends: readonly number[]): number[] {
  return ends.length === 0 ? [] : [Math.max(...ends)];
}

async function endsIn(file: string | undefined): Promise<number[]> {
  if (file === undefined) return [];
  try {
    const certificates = (await readFile(file, 'utf8')).match(PEM) ?? [];
    return certificates.map((pem) => Date.parse(new X509Certificate(pem).validTo));
  } catch {
    return [];
  }
}
