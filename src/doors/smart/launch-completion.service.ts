import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isOpenedOtherwise } from '../../core/ehrs/desk-terms.js';
import { EhrRegister } from '../../core/ehrs/ehr.register.js';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import type { LaunchContext } from '../../core/launch/launch-context.js';
import { LaunchOpening } from '../../core/launch/launch-opening.js';
import { LaunchStates, type LaunchState } from '../../core/launch/launch-states.js';
import type { Ehr } from '../../core/ehrs/ehr.js';
import { CHANGED_MEANWHILE, type IssuedReviewLink } from '../../core/report/review-links.js';
import type { RequestOrigin } from '../../core/tenancy/api-key.js';
import { EhrChart } from './chart/ehr-chart.js';
import { AuthorizationServer, type LaunchingEhr } from './protocol/authorization-server.js';
import { clinicianOf, type EhrReference } from './protocol/fhir-user.js';
import { SmartDiscovery } from './protocol/smart-discovery.js';
import { readTokenAnswer, type TokenAnswer } from './protocol/token-answer.js';
import { digestOf, hasLaunch } from './launch-begin.service.js';
import { LaunchRefusal } from './launch-refusal.js';

/** A browser that came back. */
export interface ReturnedBrowser {
  /** The registration whose redirect address it came to. */
  readonly ehrId: string;
  /** That address with the query that it came with. */
  readonly asked: URL;
  /** In its cookie; null: it has none. */
  readonly secret: string | null;
  readonly origin: RequestOrigin;
}

/** OAuth's own words for a refusal (RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6). */
const OAUTH_ERROR = /^[a-z_]{1,40}$/;
const LONGEST_STATE = 200;

/** Takes a browser back from the EHR, and opens the desk for the patient whose chart is open there. */
@Injectable()
export class LaunchCompletion {
  constructor(
    private readonly register: EhrRegister,
    private readonly states: LaunchStates,
    private readonly discovery: SmartDiscovery,
    private readonly server: AuthorizationServer,
    private readonly chart: EhrChart,
    private readonly opening: LaunchOpening,
  ) {}

  /** `launch.state`, `launch.unknown`; LaunchRefusal with every other code of a launch. */
  async complete(browser: ReturnedBrowser): Promise<IssuedReviewLink> {
    const text = stateOf(browser.asked);
    // Once: whatever follows, this state opens nothing any more.
    const state = await this.states.take(digestOf(text));
    // What one EHR's authorization server was asked for is redeemed at no other: another would get the code (RFC 9700 4.4).
    if (state?.ehrId !== browser.ehrId) throw new SuturaError('launch.state');
    const ehr = await this.register.find(state.organizationId, state.ehrId);
    if (ehr === null || !hasLaunch(ehr)) throw new SuturaError('launch.unknown');
    const { iss, launch } = state;
    if (browser.secret === null) throw new LaunchRefusal(new SuturaError('launch.cookie'), ehr, { iss, launch });
    if (!timingSafeEqual(digestOf(browser.secret), state.browserSha256))
      throw new LaunchRefusal(new SuturaError('launch.state'), ehr);
    const vouched: { person: string | null } = { person: null };
    try {
      return await this.openFor(ehr, state, text, browser, vouched);
    } catch (fault) {
      throw isSuturaError(fault) ? new LaunchRefusal(fault, ehr, null, vouched.person) : fault;
    }
  }

  private async openFor(
    ehr: LaunchingEhr,
    { nonce, verifier, isFramed }: LaunchState,
    state: string,
    { asked, origin }: ReturnedBrowser,
    vouched: { person: string | null },
  ): Promise<IssuedReviewLink> {
    requireNoError(asked);
    const smart = await this.discovery.of(ehr);
    const { claims, token } = await this.server.redeem(ehr, smart, asked, { state, nonce, verifier });
    const clinician = clinicianOf(ehr, claims['fhirUser']);
    // What is refused from here on is a row of the trail under their name.
    vouched.person = `${clinician.type}/${clinician.id}`;
    const read = await this.readChart(ehr, readTokenAnswer(token), clinician, claims['name']);
    return this.opening.open(await this.unchanged(ehr), { ...read, isFramed }, origin);
  }

  /** A change ends the desks that there are; one that is opened by what was read before it would outlive it. The link is made for this state of it alone. */
  private async unchanged(ehr: LaunchingEhr): Promise<Ehr> {
    const present = await this.register.find(ehr.organizationId, ehr.id);
    if (present === null || isOpenedOtherwise(ehr, present))
      throw new SuturaError('launch.state', { detail: CHANGED_MEANWHILE });
    return present;
  }

  private async readChart(
    ehr: LaunchingEhr,
    token: TokenAnswer,
    clinician: EhrReference,
    statedName: unknown,
  ): Promise<Omit<LaunchContext, 'isFramed'>> {
    const { accessToken, patientId, encounterId, needsBanner, appContext } = token;
    const [patient, encounter, name] = await Promise.all([
      this.chart.patient(ehr, accessToken, patientId),
      encounterId === null ? null : this.chart.encounter(ehr, accessToken, encounterId, patientId),
      this.chart.clinicianName(ehr, accessToken, clinician, statedName),
    ]);
    const person = { id: `${clinician.type}/${clinician.id}`, name };
    return { patient, encounter, person, appContext, needsBanner };
  }
}

/** `launch.state` for none, several, or one that is longer than ours. */
function stateOf({ searchParams }: URL): string {
  const states = searchParams.getAll('state');
  if (states.length !== 1 || states[0]!.length > LONGEST_STATE) throw new SuturaError('launch.state');
  return states[0]!;
}

/** `launch.refused`, with OAuth's word for it and nothing of what the server says beside it. */
function requireNoError({ searchParams }: URL): void {
  const error = searchParams.get('error');
  if (error === null) return;
  const word = OAUTH_ERROR.test(error) ? error : 'unknown error';
  throw new SuturaError('launch.refused', { detail: `The authorization server of the EHR answers "${word}".` });
}
