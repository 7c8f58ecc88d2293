import type { UnitOfWork } from '../ports/unit-of-work.js';
import { changeAccount } from './account-reach.js';
import type { HeldRights } from '../tenancy/roles.js';
import type { UserRepository } from './user.repository.js';

/** With which the identity provider is asked again about a logged-in person. */
export interface ProviderTokens {
  readonly subject: string;
  readonly refresh: string | null;
  readonly access: string | null;
  /** Milliseconds since 1970 at which the access token ends; null: the provider did not say. */
  readonly accessUntil: number | null;
}

/** What the identity provider says of a person now. `silent`: it does not answer, or states no roles outside of a login. */
export type ProviderWord =
  | { readonly kind: 'stated'; readonly rights: HeldRights; readonly tokens: ProviderTokens }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'silent'; readonly tokens: ProviderTokens };

export abstract class ProviderVoice {
  /** Never fails. */
  abstract ask(tokens: ProviderTokens): Promise<ProviderWord>;
}

/** A session whose turn it is to be asked about. */
export interface DueLook {
  readonly userId: string;
  readonly tokens: ProviderTokens;
}

/** Sessions by the identity provider, with what it is asked by. */
export abstract class ProviderSessions {
  /** null: not due, another process is asking, since a refresh token works once, or nothing can be written now. */
  abstract claimLook(sha256: Uint8Array): Promise<DueLook | null>;
  /** `isStated`: rights were stated, on which the session rests for another while. */
  abstract keep(sha256: Uint8Array, userId: string, tokens: ProviderTokens, isStated: boolean): Promise<void>;
}

export interface ProviderWatchPorts {
  readonly unitOfWork: UnitOfWork;
  readonly users: UserRepository;
  readonly sessions: ProviderSessions;
  readonly voice: ProviderVoice;
}

/** Asks the identity provider again about those who are logged in by it, so that what it takes away is gone here, too. */
export class ProviderWatch {
  constructor(private readonly ports: ProviderWatchPorts) {}

  /** Rights become those that are stated now; where none are, or the grant is refused, rights and sessions end. */
  async look(sha256: Uint8Array): Promise<void> {
    const { sessions, voice } = this.ports;
    const due = await sessions.claimLook(sha256);
    if (due === null) return;
    const word = await voice.ask(due.tokens);
    if (word.kind === 'withdrawn') return this.withdraw(due.userId);
    if (word.kind === 'stated') await this.give(due.userId, word.rights);
    await sessions.keep(sha256, due.userId, word.tokens, word.kind === 'stated');
  }

  private async give(userId: string, { isInstallationAdmin, roles }: HeldRights): Promise<void> {
    const { unitOfWork, users } = this.ports;
    await unitOfWork.inSystem(async (transaction) => {
      await users.lock(transaction, userId);
      await changeAccount(users, transaction, userId, { isInstallationAdmin, roles });
    });
  }

  private async withdraw(userId: string): Promise<void> {
    const { unitOfWork, users } = this.ports;
    await unitOfWork.inSystem(async (transaction) => {
      await users.lock(transaction, userId);
      await users.change(transaction, userId, { isInstallationAdmin: false, roles: [] });
      await users.endCredentials(transaction, userId);
    });
  }
}
