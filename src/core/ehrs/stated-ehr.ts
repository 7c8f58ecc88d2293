import { SuturaError, type FieldError } from '../errors/sutura-error.js';
import { isHttpsOrigin } from '../tenancy/https-origin.js';
import { ehrAddressFault, fhirBaseOf, isOfEhr, originOf } from './ehr-addresses.js';
import type { EhrCds, EhrLaunch, EhrPush, EhrTerms } from './ehr.js';

/** Parts of a part that an operator names; what is not named stays. */
type Stated<Part> = { readonly [Field in keyof Part]?: Part[Field] | undefined };

/** A registration as an operator states it, whole or in part. `null` takes a part away. */
export interface StatedEhr extends Stated<Omit<EhrTerms, 'launch' | 'push' | 'cds'>> {
  readonly launch?: Stated<EhrLaunch> | null | undefined;
  readonly push?: Stated<EhrPush> | null | undefined;
  readonly cds?: Stated<EhrCds> | null | undefined;
}

const NO_TERMS: EhrTerms = {
  name: '',
  fhirBaseUrl: '',
  origins: [],
  patientSystem: null,
  launch: null,
  push: null,
  cds: null,
  frameAncestors: [],
};
const NO_LAUNCH: EhrLaunch = {
  clientId: '',
  clientSecret: null,
  clientType: 'asymmetric',
  scopes: null,
  people: 'read',
};
const NO_PUSH: EhrPush = {
  enabled: false,
  dialect: 'transaction',
  auth: 'none',
  token: null,
  clientId: null,
  scopes: null,
  send: ['pdf', 'observations'],
  when: 'final',
  encounterRule: 'none',
  codes: null,
};
const NO_CDS: EhrCds = { enabled: false, issuer: '', jwksUrl: '', language: 'en' };

/** The registration with what is stated of it. `request.invalid`, naming every field that does not go with the others. */
export function statedTerms(stated: StatedEhr, present: EhrTerms = NO_TERMS): EhrTerms {
  const terms: EhrTerms = {
    ...over({ ...present }, { ...stated, launch: undefined, push: undefined, cds: undefined }),
    launch: withoutSecret(partOf(stated.launch, present.launch, NO_LAUNCH), stated.launch),
    push: withoutToken(partOf(stated.push, present.push, NO_PUSH), stated.push),
    cds: partOf(stated.cds, present.cds, NO_CDS),
  };
  const origins = terms.origins.map((origin) => originOf(origin) ?? origin);
  const spelled = { ...terms, fhirBaseUrl: fhirBaseOf(terms.fhirBaseUrl), origins: [...new Set(origins)] };
  // A base that is not written as one is judged as it was written.
  const errors = faultsOf({ ...spelled, fhirBaseUrl: terms.fhirBaseUrl, origins: terms.origins }, present);
  if (errors.length > 0) throw new SuturaError('request.invalid', { errors });
  return spelled;
}

/** Every address of the registration that this service may call. */
export function calledAddresses({ fhirBaseUrl, origins, cds }: EhrTerms): readonly string[] {
  return [fhirBaseUrl, ...origins, ...(cds === null ? [] : [cds.jwksUrl])];
}

function over<T extends object>(base: T, stated: Stated<T>): T {
  const named = Object.entries(stated).filter(([, value]) => value !== undefined);
  return { ...base, ...(Object.fromEntries(named) as Partial<T>) };
}

function partOf<T extends object>(stated: Stated<T> | null | undefined, present: T | null, empty: T): T | null {
  if (stated === undefined) return present;
  return stated === null ? null : over(present ?? empty, stated);
}

function faultsOf(terms: EhrTerms, present: EhrTerms): readonly FieldError[] {
  const { name, fhirBaseUrl, origins, patientSystem, frameAncestors } = terms;
  const isUsed = terms.launch !== null || terms.push?.enabled === true || terms.cds?.enabled === true;
  return [
    ...unless(name !== '', '/name', 'must be stated'),
    ...whereNot(ehrAddressFault(fhirBaseUrl), '/fhirBaseUrl'),
    ...origins.flatMap((origin, place) => unless(originOf(origin) === origin, `/origins/${place}`, ORIGIN)),
    ...frameAncestors.flatMap((origin, place) => unless(isHttpsOrigin(origin), `/frameAncestors/${place}`, FRAME)),
    ...unless(
      !isUsed || patientSystem !== null,
      '/patientSystem',
      'must say by which system of Patient.identifier patients are ours',
    ),
    ...(terms.launch === null ? [] : launchFaults(terms.launch, lacksSecret(present.launch))),
    ...(terms.push === null ? [] : pushFaults(terms.push, terms.launch, lacksToken(present.push))),
    ...(terms.cds === null ? [] : cdsFaults(terms.cds, terms)),
  ];
}

const ORIGIN = 'must be an origin, such as https://login.hospital.example';
const FRAME = 'must be an https origin as a browser names it, such as https://ehr.hospital.example';

/** It was registered with one, or it would not stand: that cannot be read now, and bars no other change. */
function lacksSecret(launch: EhrLaunch | null): boolean {
  return launch?.clientType === 'symmetric' && launch.clientSecret === null;
}

function lacksToken(push: EhrPush | null): boolean {
  return push?.auth === 'bearer' && push.token === null;
}

/** `isUnread`: the secret that is registered cannot be read, and may stay as it is. */
function launchFaults(launch: EhrLaunch, isUnread: boolean): readonly FieldError[] {
  const { clientId, clientSecret, clientType } = launch;
  return [
    ...unless(clientId !== '', '/launch/clientId', 'must be stated'),
    ...unless(
      (clientType === 'symmetric') === (clientSecret !== null) || (isUnread && lacksSecret(launch)),
      '/launch/clientSecret',
      'belongs to the clientType symmetric, and to no other',
    ),
  ];
}

/** As launchFaults. */
function pushFaults(push: EhrPush, launch: EhrLaunch | null, isUnread: boolean): readonly FieldError[] {
  const { auth, token, clientId, send } = push;
  const isSigned = auth === 'backend-services';
  return [
    ...unless(
      (auth === 'bearer') === (token !== null) || (isUnread && lacksToken(push)),
      '/push/token',
      'belongs to the auth bearer, and to no other',
    ),
    ...unless(
      !isSigned || clientId !== null || launch !== null,
      '/push/clientId',
      'must be stated where there is no launch',
    ),
    ...unless(send.length > 0, '/push/send', 'must name something'),
  ];
}

function cdsFaults({ issuer, jwksUrl }: EhrCds, terms: EhrTerms): readonly FieldError[] {
  const fault = ehrAddressFault(jwksUrl);
  return [
    ...unless(issuer !== '', '/cds/issuer', 'must be stated'),
    ...whereNot(fault, '/cds/jwksUrl'),
    ...unless(
      fault !== null || isOfEhr(terms, jwksUrl),
      '/cds/jwksUrl',
      'must be of the origin of fhirBaseUrl or of one in origins',
    ),
  ];
}

/** A secret that its use has gone of goes with it, unless it is stated in the same breath, which is an error. */
function withoutSecret(launch: EhrLaunch | null, stated: Stated<EhrLaunch> | null | undefined): EhrLaunch | null {
  if (launch === null || launch.clientType === 'symmetric' || stated?.clientSecret !== undefined) return launch;
  return { ...launch, clientSecret: null };
}

function withoutToken(push: EhrPush | null, stated: Stated<EhrPush> | null | undefined): EhrPush | null {
  if (push === null || push.auth === 'bearer' || stated?.token !== undefined) return push;
  return { ...push, token: null };
}

function unless(isRight: boolean, pointer: string, detail: string): readonly FieldError[] {
  return isRight ? [] : [{ pointer, detail }];
}

function whereNot(fault: string | null, pointer: string): readonly FieldError[] {
  return fault === null ? [] : [{ pointer, detail: fault }];
}
