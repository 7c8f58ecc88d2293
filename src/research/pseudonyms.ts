import { createHmac } from 'node:crypto';
import { dayAt } from '../core/times/clinical-time.js';
import type { Tenant } from '../core/tenancy/tenant.js';

const HEX_DIGITS = 16;
const MOST_DAYS = 364;
const MS_PER_DAY = 86_400_000;
const RANDOM_BYTES = 6;

/**
 * Names and dates in the place of real ones, by HMAC-SHA256 with a secret of this installation: the same each time, so that later exports go with
 * earlier ones, and nothing that can be found without the secret. Other tenants' differ.
 */
export class Pseudonyms {
  private readonly tenant: string;

  constructor(
    private readonly secret: Uint8Array,
    { organizationId, environment }: Tenant,
  ) {
    this.tenant = `${organizationId} ${environment}`;
  }

  /** 16 hexadecimal digits. */
  nameOf(kind: 'patient' | 'wound' | 'photo', id: string): string {
    return this.digest(kind, id).toString('hex').slice(0, HEX_DIGITS);
  }

  /**
   * A day by its photo's own clocks (`2026-11-27`; of a month or year the first), 1 to 364 days earlier; of one patient always as many, so that the
   * days between photos are right.
   */
  dayOf(patient: string, day: string): string {
    const days = 1 + (this.digest('days', patient).readUIntBE(0, RANDOM_BYTES) % MOST_DAYS);
    return dayAt(Date.parse(day) - days * MS_PER_DAY, 0);
  }

  private digest(kind: string, id: string): Buffer {
    return createHmac('sha256', this.secret).update(`${this.tenant} ${kind} ${id}`).digest();
  }
}
