import { createRequire } from 'node:module';
import { resolve } from 'node:path';

interface Verifier {
  /** The event; throws where the signature, its time or a header does not fit. */
  verify(body: string | Buffer, headers: Readonly<Record<string, string>>): unknown;
  /** `webhook-signature`. */
  sign(id: string, at: Date, body: string | Buffer): string;
}

/** The verifier of Standard Webhooks' own library, made of a secret (`whsec_…`). */
export const { Webhook } = createRequire(resolve(__dirname, 'standard-webhooks.ts'))('standardwebhooks') as {
  readonly Webhook: new (secret: string) => Verifier;
};
