import { SuturaError } from '../errors/sutura-error.js';
import type { Clock } from '../ports/clock.js';
import type { LoginMint, LoginCodes, PasswordDigest } from './login-secrets.js';
import { browserOf, sessionOf, strangerTo, type LoginDevice, type LoginDevices, type Trier } from './login-devices.js';
import { plainPassword, requirePassword } from './password-rule.js';
import type { ProviderTokens, ProviderWatch } from './provider-sessions.js';
import type { LoginFailures } from './login-failures.js';
import type { SessionRecord, SessionRepository } from './session.repository.js';
import { readUserName, type UserRecord } from './user.js';
import type { LoginRecord, UserRepository } from './user.repository.js';

export interface UserLoginPorts {
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
  readonly failures: LoginFailures;
  readonly devices: LoginDevices;
  readonly passwords: PasswordDigest;
  readonly codes: LoginCodes;
  readonly mint: LoginMint;
  readonly clock: Clock;
  readonly watch: ProviderWatch;
}

export interface SessionTerms {
  /** A session ends when it was not used for so long. */
  readonly idleS: number;
  /** It ends so long after the login, used or not. */
  readonly lifeS: number;
}

export interface LoginAttempt {
  readonly name: string;
  readonly password: string;
  readonly code?: string | undefined;
  /** The browser, where the user is known by it: `deviceOf`. */
  readonly device?: LoginDevice | null | undefined;
}

/** A user who proved to be one; without a password by the identity provider. */
export type IdentifiedUser = Pick<UserRecord, 'id'> &
  Partial<Pick<LoginRecord, 'passwordHash'>> & {
    readonly provider?: { readonly tokens: ProviderTokens | null };
    readonly device?: LoginDevice;
  };

/** What a browser holds, by which a user is known at the next login. */
export interface IssuedDevice extends LoginDevice {
  readonly text: string;
}

/** What the browser of a user holds. */
export interface OpenedSession {
  readonly text: string;
  readonly expiresAt: Date;
}

/** A user's own session: what its browser holds. */
export interface OwnSession {
  readonly user: Pick<UserRecord, 'name'>;
  readonly held: string;
}

/** A secret for an authenticator app, not yet in force. */
export interface OfferedCodes {
  readonly secret: string;
  readonly address: string;
}

/** Logging in and out, and what users change of their own credentials. */
export class UserLogin {
  constructor(
    private readonly ports: UserLoginPorts,
    private readonly terms: SessionTerms,
  ) {}

  /**
   * The user whose credentials these are. `known` is called with the user whose password is wrong, for the audit trail.
   * `login.refused`, `login.code_required`, `login.locked`, `login.busy`.
   */
  async identify(attempt: LoginAttempt, known: (user: UserRecord) => void = () => undefined): Promise<LoginRecord> {
    const name = readUserName(attempt.name);
    if (name === null) {
      await this.ports.passwords.fits(null, plainPassword(attempt.password));
      throw new SuturaError('login.refused');
    }
    const trier = attempt.device ? browserOf(attempt.device) : strangerTo(name);
    const user = await this.checked(name, attempt.password, trier, known);
    if (user.codeSecret !== null) await this.requireCode(user, user.codeSecret, attempt.code);
    await this.ports.failures.clear(trier);
    return user;
  }

  /** The browser that holds `text`, where the user with this name logged in from it; null: a stranger's. */
  async deviceOf(typedName: string, text: string | null): Promise<LoginDevice | null> {
    const name = readUserName(typedName);
    if (name === null || text === null) return null;
    const device = { sha256: this.ports.mint.digestOf(text) };
    return (await this.ports.devices.isOf(device, name)) ? device : null;
  }

  /** For the browser of a user who just proved to be one by this password; `former`: by which it was known until now. */
  async remember(userId: string, passwordHash: string, former: LoginDevice | null = null): Promise<IssuedDevice> {
    const device = this.ports.mint.mint();
    await this.ports.devices.insert({ sha256: device.sha256, userId, passwordHash, former });
    return device;
  }

  /** A session of a user who was identified, by a password or by the identity provider. `login.refused` where that ended meanwhile. */
  async open({ id, passwordHash = null, provider, device }: IdentifiedUser): Promise<OpenedSession> {
    const { text, sha256 } = this.ports.mint.mint();
    const { lifeS } = this.terms;
    if (!(await this.ports.sessions.insert({ sha256, userId: id, lifeS, passwordHash, provider, device })))
      throw new SuturaError('login.refused');
    await this.ports.users.noteLogin(id);
    return { text, expiresAt: new Date(this.ports.clock.now().getTime() + lifeS * 1000) };
  }

  /** `auth.session`. */
  async sessionOf(text: string): Promise<SessionRecord> {
    const sha256 = this.ports.mint.digestOf(text);
    const session = await this.requireSession(sha256);
    if (!session.isLookDue) return session;
    await this.ports.watch.look(sha256);
    return this.requireSession(sha256);
  }

  end(text: string): Promise<void> {
    return this.ports.sessions.end(this.ports.mint.digestOf(text));
  }

  /** Sets the first password, or a new one after a reset. The code works once. `user.setup`, `user.password`, `login.busy`. */
  async setUp(code: string, password: string): Promise<{ readonly user: UserRecord; readonly device: IssuedDevice }> {
    const sha256 = this.ports.mint.digestOf(code);
    const user = await this.ports.users.findBySetup(sha256);
    if (user === null) throw new SuturaError('user.setup');
    requirePassword(password, user.name);
    const hash = await this.ports.passwords.make(plainPassword(password));
    if (!(await this.ports.users.useSetup(user.id, sha256, hash))) throw new SuturaError('user.setup');
    await this.ports.sessions.endAll(user.id);
    for (const trier of [strangerTo(user.name), sessionOf(user.name)]) await this.ports.failures.clear(trier);
    return { user, device: await this.remember(user.id, hash) };
  }

  /** Ends every session of the user; the browser of the session `held` stays known, no other. `login.refused` for a wrong present password, `user.password`, `login.locked`, `login.busy`. */
  async changePassword({ user: { name }, held }: OwnSession, present: string, next: string): Promise<void> {
    const user = await this.checked(name, present, sessionOf(name));
    requirePassword(next, name);
    const hash = await this.ports.passwords.make(plainPassword(next));
    if (!(await this.ports.users.setPassword(user.id, user.passwordHash, hash))) throw new SuturaError('login.refused');
    await this.ports.sessions.endAll(user.id, this.ports.mint.digestOf(held));
    await this.ports.failures.clear(sessionOf(name));
  }

  /** For an app that makes one-time codes; in force once `confirmCodes` saw one. `login.refused`, `login.locked`, `login.busy`. */
  async offerCodes({ name }: Pick<UserRecord, 'name'>, password: string): Promise<OfferedCodes> {
    const user = await this.checked(name, password, sessionOf(name));
    await this.ports.failures.clear(sessionOf(name));
    const secret = this.ports.codes.newSecret();
    await this.ports.users.offerCodes(user.id, secret);
    return { secret, address: this.ports.codes.addressOf(secret, name) };
  }

  /** `login.refused` for a wrong code, or where no secret was offered; `login.locked`. */
  async confirmCodes({ id, name }: Pick<UserRecord, 'id' | 'name'>, code: string): Promise<void> {
    await this.requireTry(sessionOf(name));
    const offered = await this.ports.users.findOfferedCodes(id);
    const step = offered === null ? null : this.ports.codes.stepOf(offered, code, this.ports.clock.now());
    if (step === null || !(await this.ports.users.useCodeStep(id, step, offered)))
      throw new SuturaError('login.refused', {
        detail: 'The code is wrong. Ask for a new secret, or check the clock.',
      });
    await this.ports.failures.clear(sessionOf(name));
  }

  private async requireSession(sha256: Uint8Array): Promise<SessionRecord> {
    const session = await this.ports.sessions.find(sha256, this.terms.idleS);
    if (session === null) throw new SuturaError('auth.session');
    return session;
  }

  private async checked(
    name: string,
    password: string,
    trier: Trier,
    known: (user: UserRecord) => void = () => undefined,
  ): Promise<LoginRecord> {
    await this.requireTry(trier);
    const user = await this.ports.users.findForLogin(name);
    const isKnown = trier !== strangerTo(name);
    const isRight = await this.ports.passwords.fits(user?.passwordHash ?? null, plainPassword(password), isKnown);
    if (user !== null) known(user);
    if (!isRight || user === null || user.disabledAt !== null || user.hasProvider)
      throw new SuturaError('login.refused');
    return user;
  }

  private async requireTry(trier: Trier): Promise<void> {
    const retryAfterS = await this.ports.failures.begin(trier);
    if (retryAfterS > 0) throw new SuturaError('login.locked', { retryAfterS });
  }

  /** Each code works once, and none that is older than one that was used. */
  private async requireCode({ id }: LoginRecord, secret: string, code: string | undefined): Promise<void> {
    if (code === undefined) throw new SuturaError('login.code_required');
    const step = this.ports.codes.stepOf(secret, code, this.ports.clock.now());
    if (step === null || !(await this.ports.users.useCodeStep(id, step, null))) throw new SuturaError('login.refused');
  }
}
