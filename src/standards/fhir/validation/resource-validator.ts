import type { Extension, Resource } from '@medplum/fhirtypes';
import type { ProfileLibrary } from '../profiles/profile-library.js';
import { QuickCheck } from './compiled/quick-check.js';
import { inTurns } from '../../../platform/turns/turns.js';
import { BASE64_MAX_BYTES, LONG_CHARACTERS, shorteningBase64 } from './long-base64.js';
import { Demands } from './demands/demands.js';
import { checkNarratives } from './narrative/narrative-check.js';
import { checkExtension, checkProfile } from './profile-check.js';
import type { R4Definitions } from '../definitions/r4-definitions.js';
import { error, type ResourceIssue } from './resource-issue.js';
import { refuseHeavy } from './resource-weight.js';
import { checkStructure } from './structure-check.js';
import type { ThreadedValidation } from './threaded-validation.js';
import type { Verdict } from './resource-issue.js';

/** Further issues would say nothing new. */
const ISSUE_LIMIT = 50;
/** Up to this weight a resource is checked at once, whatever its faults: some hundredths of a second. */
const LIGHT = { values: 1_000, characters: 64 * 1024 };

/**
 * Validates resources against FHIR R4 and against our profiles: cardinality, types, formats, invariants, unknown elements, required
 * bindings, targets of references, and choices. It looks no code up beyond required bindings, and resolves no reference.
 * The first use reads the definitions (about 0.2 s); one validator serves a process.
 */
export class ResourceValidator {
  private readonly demands: Demands;
  private readonly quick: QuickCheck;

  constructor(
    private readonly definitions: R4Definitions,
    private readonly library: ProfileLibrary,
    private readonly aside: ThreadedValidation | null = null,
  ) {
    this.demands = new Demands(definitions.valueSets);
    this.quick = new QuickCheck(definitions, this.demands);
  }

  /** Reads all definitions that are still unread, now rather than at their first use. */
  prepare(): void {
    this.definitions.prepare();
  }

  /** As `prepare`, our own profiles; throws where they cannot be read. */
  prepareProfiles(): void {
    this.library.prepare();
  }

  /** Reads one more definition; false when none is left. */
  prepareNext(): boolean {
    return this.definitions.prepareNext();
  }

  /**
   * The verdict of `validate`, for a resource of any weight: a heavy one is validated aside.
   * `request.too_large` for more than a resource may hold, `service.busy` where too much of the organization is being checked.
   */
  async validateAnyWeight(
    organizationId: string,
    resource: unknown,
    profiles: readonly string[] = [],
  ): Promise<Verdict> {
    const { values, characters, attached } = refuseHeavy(resource);
    const isLight = values <= LIGHT.values && characters - attached <= LIGHT.characters;
    // Checked once, in turns: neither the checks below nor another thread see megabytes.
    const short = attached <= LONG_CHARACTERS ? resource : await inTurns(shorteningBase64(resource, BASE64_MAX_BYTES));
    return isLight || this.aside === null
      ? this.validate(short, profiles)
      : this.aside.validate({ resource: short, profiles }, organizationId);
  }

  /**
   * Never throws for the content of the resource. Profiles are those of meta.profile, and `profiles` besides (canonical URLs of ours).
   * Foreign profiles are reported as information and not checked.
   */
  validate(resource: unknown, profiles: readonly string[] = []): Verdict {
    const structure = this.quick.isCertainlyValid(resource)
      ? []
      : distinct(checkStructure(resource, this.definitions, this.demands));
    if (structure.some(isError)) return verdict('structure', structure);
    const known = resource as Resource;
    const narratives = checkNarratives(known);
    if (narratives.length > 0) return verdict('narrative', narratives);
    const wanted = [...new Set([...claimedProfiles(known), ...profiles])];
    const issues = distinct([
      ...structure,
      ...wanted.flatMap((url) => this.checkAgainst(known, url)),
      ...this.checkExtensions(known),
    ]);
    return verdict(issues.some(isError) ? 'profile' : null, issues);
  }

  private checkAgainst(resource: Resource, url: string): ResourceIssue[] {
    const found = this.library.find(url);
    if (found?.profile.type === resource.resourceType) return checkProfile(resource, found.rules, this.library);
    const named = resource.meta?.profile?.indexOf(url) ?? -1;
    const place = `${resource.resourceType}.meta${named === -1 ? '' : `.profile[${named}]`}`;
    if (found !== undefined) return [error('invariant', place, 'This profile is one of another type.')];
    if (this.library.isOurs(url)) return [error('invariant', place, 'There is no such profile.')];
    return [
      {
        severity: 'information',
        code: 'not-supported',
        expression: place,
        details: 'The resource was not checked against this profile.',
      },
    ];
  }

  /** Our extensions are checked wherever they are used, whether or not a profile is claimed. */
  private checkExtensions(resource: Resource): ResourceIssue[] {
    const extensions = (resource as { extension?: Extension[] }).extension ?? [];
    return extensions.flatMap((extension, index) => {
      const path = `${resource.resourceType}.extension[${index}]`;
      const known = this.library.find(extension.url);
      if (known !== undefined && known.profile.type === 'Extension')
        return checkExtension(extension, path, known.rules, { source: this.library, resource });
      return this.library.isOurs(extension.url) ? [error('invariant', path, 'There is no such extension.')] : [];
    });
  }
}

/** A null stands in this list where a profile has extensions alone (R4 json.html, 2.6.2.3). */
function claimedProfiles({ meta }: Resource): string[] {
  return ((meta?.profile ?? []) as (string | null)[]).filter((url) => url !== null);
}

function isError({ severity }: ResourceIssue): boolean {
  return severity === 'error';
}

function verdict(level: Verdict['level'], issues: readonly ResourceIssue[]): Verdict {
  if (issues.length <= ISSUE_LIMIT) return { level, issues };
  const foremost = [...issues.filter(isError), ...issues.filter((issue) => !isError(issue))].slice(0, ISSUE_LIMIT);
  const place = issues[0]!.expression.split('.')[0]!;
  return {
    level,
    issues: [
      ...foremost,
      {
        severity: 'information',
        code: 'processing',
        expression: place,
        details: `More was found than the ${ISSUE_LIMIT} places that are named.`,
      },
    ],
  };
}

function distinct(issues: readonly ResourceIssue[]): ResourceIssue[] {
  return [...new Map(issues.map((issue) => [`${issue.expression} ${issue.details}`, issue])).values()];
}
