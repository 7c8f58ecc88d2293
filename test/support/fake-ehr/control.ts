import type { AuthorizationServer } from './authorization-server.js';
import type { Dialect, Interaction } from './dialects.js';
import type { AnsweredCall, EhrState } from './ehr-state.js';
import type { Fault, FaultPlace, PlannedFaults } from './faults.js';
import type { Fields, Resource } from './json.js';
import type { LaunchContext, RegisteredClient } from './launches.js';
import type { Sessions } from './sessions.js';
import type { MappedRow } from './surroundings.js';

/** A business identifier. */
export interface BusinessNumber {
  readonly system: string;
  readonly value: string;
}

interface Persons {
  readonly identifiers: readonly BusinessNumber[];
  readonly family?: string;
  readonly given?: string;
}

interface Visit {
  readonly patientId: string;
  readonly identifiers?: readonly BusinessNumber[];
  readonly status?: 'planned' | 'in-progress' | 'finished' | 'cancelled' | 'entered-in-error';
  readonly start?: string;
  readonly end?: string;
}

/** What a test or a demonstration does with the EHR beside calling it: people, visits, clients, launches, faults. */
export class EhrControl {
  constructor(
    private readonly state: EhrState,
    private readonly faults: PlannedFaults,
    private readonly authorization: AuthorizationServer,
    private readonly sessions: Sessions,
    private readonly fhirBaseUrl: string,
  ) {}

  /** A patient of the EHR; its id. */
  addPatient({ identifiers, family = 'Muster', given = 'Erika' }: Persons): string {
    return this.seedPerson('Patient', identifiers, family, given);
  }

  /** Who works there; the id. */
  addPractitioner({ identifiers, family = 'Winter', given = 'Ada' }: Persons): string {
    return this.seedPerson('Practitioner', identifiers, family, given);
  }

  /** A visit of a patient; its id. */
  addEncounter({ patientId, identifiers = [], status = 'in-progress', start, end }: Visit): string {
    return this.state.chart.seed({
      resourceType: 'Encounter',
      ...(identifiers.length === 0 ? {} : { identifier: identifiers }),
      status,
      class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'IMP' },
      subject: { reference: `Patient/${patientId}` },
      ...(start === undefined ? {} : { period: { start, ...(end === undefined ? {} : { end }) } }),
    });
  }

  /** Any other resource that the EHR had before; its id. */
  addResource(resource: Resource): string {
    return this.state.chart.seed(resource);
  }

  /** Changes what it holds, as its people do: a further version. */
  edit(reference: string, fields: Fields): void {
    this.state.chart.amend(reference, fields);
  }

  /** Takes a patient, visit or practitioner away, by `Type/id`. */
  remove(reference: string): void {
    this.state.chart.drop(reference);
  }

  /** Registers a client, or registers it anew. */
  registerClient(client: RegisteredClient): void {
    this.sessions.clients.set(client.clientId, client);
  }

  removeClient(clientId: string): void {
    this.sessions.clients.delete(clientId);
  }

  /** A token that is given out beside the authorization server, as some EHRs do by hand. */
  issueToken(scopes: readonly string[], { lifeS = 3_600, patientId }: TokenWish = {}): string {
    const clientId = 'by-hand';
    return this.state.tokens.issue({ clientId, scopes, ...(patientId === undefined ? {} : { patientId }) }, lifeS);
  }

  /** Ends every token that was given out. */
  endTokens(): void {
    this.state.tokens.end();
  }

  /** Lets everybody in without a token. */
  open(): void {
    this.state.isOpen = true;
  }

  /** Issues a launch: the address that the EHR's frame opens, from the one that the client registered. */
  launch(launchUrl: string, context: LaunchContext): string {
    const url = new URL(launchUrl);
    url.searchParams.set('iss', this.fhirBaseUrl);
    url.searchParams.set('launch', this.authorization.launch(context));
    return url.href;
  }

  /** What discovery states otherwise; undefined leaves a field out. */
  changeDiscovery(changes: Fields): void {
    this.authorization.discoveryChanges = changes;
  }

  /** Plans a fault for the next calls that it is for. */
  plan(fault: Fault, place: FaultPlace = {}): void {
    this.faults.plan(fault, place);
  }

  /** Forgets the faults that have not happened. */
  mend(): void {
    this.faults.clear();
  }

  /** Takes an interaction back: the CapabilityStatement says so, and calls are refused. */
  withdraw(type: string, interaction: Interaction | 'conditional-create'): void {
    this.state.withdraw(type, interaction);
  }

  /** Becomes another EHR; charts stay. */
  become(dialect: Dialect): void {
    this.state.dialect = dialect;
  }

  /** Maps a code to a flowsheet row (Epic). */
  mapRow(row: MappedRow): void {
    this.state.mappedRows.push(row);
  }

  /** Most entries of one page of a search. */
  set pageSize(size: number) {
    this.state.pageSize = size;
  }

  /** Everything of a type that the EHR holds now. */
  resources(type: string): readonly Resource[] {
    return this.state.chart.ofType(type);
  }

  /** All versions of a resource, the oldest first. */
  history(reference: string): readonly Resource[] {
    return this.state.chart.history(reference);
  }

  /** Is told each call when it was answered. */
  follow(onCall: (call: AnsweredCall) => void): void {
    this.state.onCall = onCall;
  }

  /** Calls as they were answered. */
  get calls(): readonly AnsweredCall[] {
    return this.state.calls;
  }

  /** What callers did that no careful client does, in words. */
  get objections(): readonly string[] {
    return this.state.objections;
  }

  private seedPerson(type: string, identifiers: readonly BusinessNumber[], family: string, given: string): string {
    return this.state.chart.seed({ resourceType: type, identifier: identifiers, name: [{ family, given: [given] }] });
  }
}

interface TokenWish {
  readonly lifeS?: number;
  readonly patientId?: string;
}
