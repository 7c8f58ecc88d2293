import { SuturaError } from '../errors/sutura-error.js';
import type { OrganizationRepository } from '../organizations/organization.repository.js';
import type { IdSource } from '../ports/id-source.js';
import type { UnitOfWork } from '../ports/unit-of-work.js';
import { hasScope, type Caller } from '../tenancy/api-key.js';
import { isHttpsOrigin } from '../tenancy/https-origin.js';
import { tenantOf, type Tenant } from '../tenancy/tenant.js';
import type { LoginMint } from '../users/login-secrets.js';
import type { UserRecord } from '../users/user.js';
import {
  type NewReviewLink,
  type ReviewLink,
  type ReviewLinkRepository,
  type ReviewMode,
  type ReviewSubject,
} from './review-link.js';

export interface ReviewLinkPorts {
  readonly links: ReviewLinkRepository;
  readonly organizations: OrganizationRepository;
  readonly unitOfWork: UnitOfWork;
  readonly mint: LoginMint;
  readonly ids: IdSource;
}

/** What a link is for. */
export interface ReviewLinkRequest {
  readonly mode: ReviewMode;
  readonly subject: ReviewSubject;
  readonly subjectId: string;
  readonly reportId: string;
  /** Of a list, in its order; absent: it is none. */
  readonly reportIds?: readonly string[] | undefined;
  readonly minutes: number;
  readonly language: string | null;
  readonly frameOrigin: string | null;
  /** Who decides there; absent: the person behind the request, whose name is typed. */
  readonly person?: { readonly id: string; readonly name: string; readonly system?: string | undefined } | undefined;
}

/** What an EHR opens for the clinician whom it vouches for. */
export interface EhrDeskRequest {
  readonly patientId: string;
  readonly reportId: string;
  /** `id`: as the EHR refers to them. */
  readonly person: { readonly id: string; readonly name: string | null };
  readonly mode: ReviewMode;
  readonly minutes: number;
  readonly idleMinutes: number;
  readonly needsBanner: boolean;
  readonly isFramed: boolean;
}

/** A link just made; the only moment at which its secret exists outside of the caller. */
export interface IssuedReviewLink {
  readonly id: string;
  readonly secret: string;
  readonly expiresAt: Date;
}

export interface OpenedReview {
  readonly link: ReviewLink;
  /** For the cookie of the desk. */
  readonly session: string;
}

const PERSON_RULE = 'needs a key that may name persons, and the person whom X-Sutura-User names where it names one';

export const CHANGED_MEANWHILE =
  'The registration of the EHR was changed meanwhile. Go back to the chart and open it from there again.';

/** Links to the review desk: each opens once, for what it names, until it ends, or the key or the user's role behind it. */
export class ReviewLinks {
  constructor(private readonly ports: ReviewLinkPorts) {}

  /** `auth.person` for a person whom the key may not name, `auth.scope` for a review without the right to review, `review.frame` for an origin that the organization did not allow. */
  async make(caller: Caller, request: ReviewLinkRequest): Promise<IssuedReviewLink> {
    if (request.mode === 'review' && !hasScope(caller, 'analysis:review'))
      throw new SuturaError('auth.scope', {
        detail: 'The key lacks the scope "analysis:review", which a link for a review needs. Use a key that has it.',
      });
    if (
      request.frameOrigin !== null &&
      !(await this.allowedOrigins(caller.organizationId)).includes(request.frameOrigin)
    )
      throw new SuturaError('review.frame');
    const { person: named, ...wanted } = request;
    const person = caller.person ?? null;
    // A link in another's name would let a key sign as anyone.
    if (named !== undefined && (caller.namesPersons !== true || (person !== null && person !== named.id)))
      throw new SuturaError('auth.person', { errors: [{ pointer: '/person', detail: PERSON_RULE }] });
    const who = { person: named?.id ?? person, personSystem: named?.system ?? null, personName: named?.name ?? null };
    return this.insert({ ...tenantOf(caller), holderId: caller.keyId, ...who }, wanted);
  }

  /** For a user of the console, whose role the caller has checked; the link expires with that role. */
  makeForUser(
    { id: holderId, name: person, displayName }: Pick<UserRecord, 'id' | 'name' | 'displayName'>,
    tenant: Tenant,
    request: ReviewLinkRequest,
  ): Promise<IssuedReviewLink> {
    return this.insert(
      { ...tenant, holderId, person, personSystem: null, personName: displayName.trim() === '' ? person : displayName },
      request,
    );
  }

  /**
   * For a clinician whom an EHR vouches for: all wounds of the patient whose chart is open there. The link ends with the registration's launch. The
   * banner is short only where the chart stands around it: a window of its own shows nobody's name but by its own.
   */
  makeForEhr(
    ehr: Tenant & { readonly id: string; readonly fhirBaseUrl: string; readonly updatedAt: Date },
    { patientId, reportId, person, mode, minutes, idleMinutes, needsBanner, isFramed }: EhrDeskRequest,
  ): Promise<IssuedReviewLink> {
    const who = { holderId: ehr.id, person: person.id, personSystem: ehr.fhirBaseUrl, personName: person.name };
    const request = { mode, subject: 'patient', subjectId: patientId, reportId, minutes } as const;
    return this.insert(
      { ...tenantOf(ehr), ...who },
      { ...request, language: null, frameOrigin: null },
      { isFramed, isBannerShort: isFramed && !needsBanner, idleS: idleMinutes * 60, ehrAsOf: ehr.updatedAt },
    );
  }

  /** Trades the secret of a link for a session. `review.link`. */
  async open(linkId: string, secret: string): Promise<OpenedReview> {
    const { text, sha256 } = this.ports.mint.mint();
    const link = await this.ports.links.open(linkId, this.ports.mint.digestOf(secret), sha256);
    if (link === null) throw new SuturaError('review.link');
    return { link, session: text };
  }

  /** `isUse`: a person did something, and did not only leave the page open. `review.session`. */
  async linkOf(linkId: string, session: string, isUse: boolean): Promise<ReviewLink> {
    const link = await this.ports.links.findOpened(linkId, this.ports.mint.digestOf(session), isUse);
    if (link === null) throw new SuturaError('review.session');
    return link;
  }

  /** The origins that may show the page of this link in a frame; each is one of `isHttpsOrigin`. */
  async frameOriginsOf(linkId: string): Promise<readonly string[]> {
    return (await this.ports.links.frameOriginsOf(linkId)).filter(isHttpsOrigin);
  }

  end({ id }: ReviewLink): Promise<void> {
    return this.ports.links.end(id);
  }

  private async insert(
    holder: Pick<
      NewReviewLink,
      'organizationId' | 'environment' | 'holderId' | 'person' | 'personSystem' | 'personName'
    >,
    { minutes, reportIds = [], ...request }: Omit<ReviewLinkRequest, 'person'>,
    desk: Pick<NewReviewLink, 'isFramed' | 'isBannerShort' | 'idleS' | 'ehrAsOf'> = {
      isFramed: request.frameOrigin !== null,
      isBannerShort: false,
      idleS: null,
    },
  ): Promise<IssuedReviewLink> {
    const { text, sha256 } = this.ports.mint.mint();
    const id = this.ports.ids.next();
    const expiresAt = await this.ports.links.insert({
      ...request,
      reportIds,
      ...holder,
      ...desk,
      id,
      sha256,
      lifeS: minutes * 60,
    });
    if (expiresAt === null) throw new SuturaError('launch.state', { detail: CHANGED_MEANWHILE });
    return { id, secret: text, expiresAt };
  }

  private allowedOrigins(organizationId: string): Promise<readonly string[]> {
    return this.ports.unitOfWork.inSystem(
      async (transaction) =>
        (await this.ports.organizations.find(transaction, organizationId))?.reviewFrameOrigins ?? [],
    );
  }
}
