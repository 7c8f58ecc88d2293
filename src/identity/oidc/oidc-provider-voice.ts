import { ProviderVoice, type ProviderTokens, type ProviderWord } from '../../core/users/provider-sessions.js';
import type { IdentityProvider } from './identity-provider.js';
import { claimValues, rightsOf, statesClaim, type RoleRule } from './role-claims.js';

/** Where the provider states roles, and what they give. */
export interface RoleTerms {
  readonly roleClaim: string;
  readonly roles: readonly RoleRule[];
}

/** By refresh token where the provider gave one, otherwise by userinfo for as long as the access token lasts. */
export class OidcProviderVoice extends ProviderVoice {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly terms: RoleTerms,
  ) {
    super();
  }

  async ask(tokens: ProviderTokens): Promise<ProviderWord> {
    const said = await this.provider.askAgain(tokens);
    if (said.kind !== 'claims') return said;
    const { roleClaim, roles } = this.terms;
    // Many providers state roles in ID tokens alone: what userinfo does not speak of, it does not take away.
    if (said.by === 'userinfo' && !statesClaim(said.claims, roleClaim)) return { kind: 'silent', tokens: said.tokens };
    const rights = rightsOf(claimValues(said.claims, roleClaim), roles);
    return rights === null ? { kind: 'withdrawn' } : { kind: 'stated', rights, tokens: said.tokens };
  }
}
