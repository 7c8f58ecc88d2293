import { Injectable } from '@nestjs/common';
import { Settings } from '../../../../platform/config/settings.js';
import type { HeldMessage } from '../store/inbound-record.js';
import { InboundStore } from '../store/inbound-store.js';

/** Renewals that may fail in a row before the lease ends. */
const RENEWALS_PER_LEASE = 4;

/**
 * Renews the leases of messages in work, however long that takes: a merge of long histories may take longer than a
 * lease.
 */
@Injectable()
export class MessageLeases {
  private readonly everyMs: number;

  constructor(
    private readonly store: InboundStore,
    { workers }: Settings,
  ) {
    this.everyMs = (workers.leaseS * 1000) / RENEWALS_PER_LEASE;
  }

  async during<T>(
    { record, leaseToken }: Pick<HeldMessage, 'record' | 'leaseToken'>,
    work: () => Promise<T>,
  ): Promise<T> {
    let isRenewing = false;
    const renew = async (): Promise<void> => {
      if (isRenewing) return;
      isRenewing = true;
      // If the lease was lost, or the database is unavailable, writing the outcome fails.
      await this.store.renew(record.id, leaseToken).catch(() => undefined);
      isRenewing = false;
    };
    const timer = setInterval(() => void renew(), this.everyMs).unref();
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }
}
