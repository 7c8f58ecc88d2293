import { SENDER_TIMINGS, SenderTimings, WEBHOOK_PAUSES_MS } from '../kit/index.js';

/** What senders of notifications and of heartbeats wait for. Stands as an injection token; tests give shorter ones. */
export abstract class SubscriptionTimings extends SenderTimings {}

/** As webhooks: ten attempts over three days, then parked. */
export const SUBSCRIPTION_TIMINGS: SubscriptionTimings = { ...SENDER_TIMINGS, failurePausesMs: WEBHOOK_PAUSES_MS };
