import type { AccessGrant } from './access-tokens.js';
import type { TypeRules } from './dialects.js';
import type { EhrState } from './ehr-state.js';
import { at, codingsOf, isFields, listAt, textAt, type Resource } from './json.js';
import { Refusal, type Issue } from './outcome.js';
import { shapeFaults } from './r4-shape.js';
import { patientOf, replacedBy } from './rules/base.js';
import { grantsFor, type Permission } from './scopes.js';
import { checkCriteria, matches } from './search.js';

/** What was written, or found instead. */
export interface Written {
  readonly status: 200 | 201;
  readonly resource: Resource;
}

/** Creates and updates, as single calls and as entries of a transaction. */
export class Writing {
  constructor(
    private readonly state: EhrState,
    private readonly fhirBaseUrl: string,
  ) {}

  /** @throws Refusal as the dialect, the token's scopes and R4 have it. */
  create(sent: Resource, grant: AccessGrant | null, ifNoneExist: string | undefined, id?: string): Written {
    const rules = this.rulesOf(sent.resourceType, 'create');
    if (sent['id'] !== undefined)
      this.state.objections.push(`A ${sent.resourceType} was created with an id of its own.`);
    this.requireScope(sent, 'c', grant);
    const found = ifNoneExist === undefined ? null : this.existing(sent.resourceType, rules, ifNoneExist);
    if (found !== null) return { status: 200, resource: found };
    const resource = this.localized(sent);
    this.check(resource, 'create');
    const created = this.state.chart.create(resource, this.kept(resource), id);
    if (this.state.rules.supersedes)
      for (const replaced of replacedBy(resource))
        if (textAt(this.state.chart.current(replaced), 'status') === 'current')
          this.state.chart.amend(replaced, { status: 'superseded' });
    return { status: 201, resource: created };
  }

  /** @throws Refusal, 412 for another version than that of If-Match. */
  update(sent: Resource, id: string, grant: AccessGrant | null, ifMatch: string | undefined): Written {
    const rules = this.rulesOf(sent.resourceType, 'update');
    this.requireScope(sent, 'u', grant);
    if (textAt(sent, 'id') !== id)
      throw new Refusal(400, { code: 'invalid', text: 'The id is not that of the address.' });
    const reference = `${sent.resourceType}/${id}`;
    const current = this.state.chart.current(reference);
    if (current === undefined) throw new Refusal(404, { code: 'not-found', text: `There is no ${reference}.` });
    requireVersion(current, rules, ifMatch);
    const resource = this.localized(sent);
    if (patientOf(resource) !== patientOf(current))
      throw new Refusal(422, { code: 'business-rule', text: 'A resource stays with its patient.' });
    this.check(resource, 'update');
    return { status: 200, resource: this.state.chart.update(id, resource, this.kept(resource)) };
  }

  private rulesOf(type: string, interaction: 'create' | 'update'): TypeRules {
    const rules = this.state.typeRules(type);
    if (rules === undefined) throw new Refusal(404, { code: 'not-supported', text: `${type} is not served.` });
    if (!rules.interactions.includes(interaction))
      throw new Refusal(405, { code: 'not-supported', text: `${type} has no ${interaction}.` });
    return rules;
  }

  private requireScope(resource: Resource, permission: Permission, grant: AccessGrant | null): void {
    if (grant === null) return;
    const isAllowed = grantsFor(grant.scopes, resource.resourceType, permission).some(
      ({ isForPatient, query }) =>
        (!isForPatient || patientOf(resource) === `Patient/${grant.patientId ?? ''}`) && fitsQuery(resource, query),
    );
    if (!isAllowed)
      throw new Refusal(403, {
        code: 'forbidden',
        text: `The token's scopes do not allow this ${resource.resourceType}.`,
      });
  }

  /** The one that a conditional create names; null if there is none. */
  private existing(type: string, { conditionalCreate, searches = [] }: TypeRules, query: string): Resource | null {
    if (conditionalCreate !== true)
      throw new Refusal(400, { code: 'not-supported', text: `${type} has no conditional create.` });
    const criteria = new URLSearchParams(query.startsWith('?') ? query.slice(1) : query);
    if ([...criteria].length === 0) throw new Refusal(400, { code: 'invalid', text: 'If-None-Exist has no criteria.' });
    checkCriteria(type, criteria, searches);
    const all = this.state.chart.ofType(type).filter((one) => this.state.isIndexed(`${type}/${textAt(one, 'id')!}`));
    const found = all.filter((one) => matches(one, criteria));
    if (found.length > 1) throw new Refusal(412, { code: 'multiple-matches', text: 'Several fit If-None-Exist.' });
    return found[0] ?? null;
  }

  /** References by this server's own address are those without it. */
  private localized(resource: Resource): Resource {
    return JSON.parse(
      JSON.stringify(resource).replaceAll(`"reference":"${this.fhirBaseUrl}/`, '"reference":"'),
    ) as Resource;
  }

  private check(resource: Resource, interaction: 'create' | 'update'): void {
    const { chart, mappedRows } = this.state;
    const faults = shapeFaults(resource);
    if (faults.length > 0) throw new Refusal(400, faults);
    const refusals: readonly Issue[] = this.state.rules.check(resource, { chart, interaction, mappedRows });
    if (refusals.length > 0) throw new Refusal(422, refusals);
  }

  private kept(resource: Resource): Resource {
    const text = JSON.stringify(this.state.rules.keep(resource));
    const kept = JSON.parse(
      text.replace(MOMENT, (_, moment: string) => `"${this.state.keptMoment(moment)}"`),
    ) as Resource;
    return this.state.rules.movesAttachments ? this.movedAttachments(kept) : kept;
  }

  /** Bytes go into a Binary of their own, which the document then names by its address. */
  private movedAttachments(resource: Resource): Resource {
    if (resource.resourceType !== 'DocumentReference') return resource;
    const content = listAt(resource, 'content').map((one) => {
      const attachment = at(one, 'attachment');
      const data = textAt(attachment, 'data');
      if (!isFields(one) || !isFields(attachment) || data === undefined) return one;
      const contentType = textAt(attachment, 'contentType');
      const id = this.state.chart.seed({ resourceType: 'Binary', contentType, data });
      const { data: _data, ...rest } = attachment;
      return { ...one, attachment: { ...rest, url: `${this.fhirBaseUrl}/Binary/${id}` } };
    });
    return { ...resource, content };
  }
}

const MOMENT = /"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))"/g;

function requireVersion(
  current: Resource,
  { needsIfMatch, hidesVersions }: TypeRules,
  ifMatch: string | undefined,
): void {
  if (ifMatch === undefined) {
    if (needsIfMatch !== true) return;
    throw new Refusal(400, { code: 'required', text: 'An update needs If-Match.' });
  }
  const versionId = textAt(current, 'meta', 'versionId') ?? '';
  if (hidesVersions === true || ifMatch !== `W/"${versionId}"`)
    throw new Refusal(412, { code: 'conflict', text: 'If-Match names another version.' });
}

/** Whether a resource has the codes that a scope is bound to; a parameter that is not known is never fulfilled. */
function fitsQuery(resource: Resource, query: URLSearchParams | undefined): boolean {
  if (query === undefined) return true;
  return [...query].every(([name, value]) => {
    if (name !== 'category') return false;
    const [, code] = value.includes('|') ? value.split('|') : [undefined, value];
    return codingsOf(resource['category']).some((coding) => coding.code === code);
  });
}
