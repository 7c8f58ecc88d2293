import { Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { LoginCodes } from '../../core/users/login-secrets.js';

const ISSUER = 'Sutura';
/** RFC 4226 4: 160 bits. */
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** Defaults of authenticator apps. */
const TERMS = { algorithm: 'SHA1', digits: 6, period: PERIOD_S } as const;
const CODE = /^\d{6}$/;
/** A step early or late (RFC 6238 5.2). */
const WINDOW = 1;

/** One-time codes of authenticator apps (RFC 6238). */
@Injectable()
export class TotpCodes extends LoginCodes {
  newSecret(): string {
    return new Secret({ size: SECRET_BYTES }).base32;
  }

  addressOf(secret: string, userName: string): string {
    return new TOTP({ ...TERMS, issuer: ISSUER, label: userName, secret: Secret.fromBase32(secret) }).toString();
  }

  stepOf(secret: string, code: string, now: Date): number | null {
    const token = code.replace(/\s/g, '');
    if (!CODE.test(token)) return null;
    const timestamp = now.getTime();
    const delta = new TOTP({ ...TERMS, secret: Secret.fromBase32(secret) }).validate({
      token,
      timestamp,
      window: WINDOW,
    });
    return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_S) + delta;
  }
}
