import { Injectable } from '@nestjs/common';
import { isSuturaError, SuturaError } from '../../../core/errors/sutura-error.js';
import { SCOPES, type Caller } from '../../../core/tenancy/api-key.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { readShape, type ShapedBundle } from '../bundle/bundle-shape.js';
import { shownBy } from '../bundle/transaction-bundle.js';
import { TransactionPerformer, type PerformedEntry } from '../bundle/transaction-performer.js';
import type { FhirAnswer, FhirCall } from '../call/fhir-call.js';
import { toOperationOutcome } from '../../../standards/fhir/outcome/operation-outcome.js';
import { FhirActivation } from '../projection/fhir-activation.js';
import { ResourceValidator } from '../../../standards/fhir/validation/resource-validator.js';
import { AnalysesOfEntries } from './analyses-of-entries.js';
import type { DryRunEntry, DryRunIssue, FhirDryRunView } from './dry-run.views.js';

/** The result of a transaction before its rollback. */
type Tried = Pick<FhirDryRunView, 'entries' | 'analyses' | 'issues'>;

/** Rolls the transaction back and carries its result. */
class TakenBack extends Error {
  constructor(readonly tried: Tried) {
    super('A dry run is always taken back.');
  }
}

/** Placeholder for the id of a key: nothing that it writes is kept. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
/** Refusals that say nothing of the resource. */
const OF_THE_SERVICE: readonly SuturaError['kind'][] = ['internal', 'unavailable', 'storage_full'];

/**
 * Does what a posted Bundle does, with the same code, and rolls it back: nothing is stored, charged, published or audited. Photos are checked and removed.
 */
@Injectable()
export class BundleDryRun {
  constructor(
    private readonly opening: FhirActivation,
    private readonly validator: ResourceValidator,
    private readonly performer: TransactionPerformer,
    private readonly analyses: AnalysesOfEntries,
    private readonly address: PublicAddress,
  ) {}

  /** As a key with every scope on clinical data would post it. `fhir.preparing`, `service.unavailable`; refusals are told, not thrown. */
  async run(tenant: Tenant, requestId: string, body: unknown): Promise<FhirDryRunView> {
    const caller = { ...tenant, keyId: NOBODY, scopes: SCOPES.filter((scope) => scope !== 'bulk:export') };
    await this.opening.ensureActive(tenant);
    this.validator.prepare();
    const isBundle = (body as { resourceType?: unknown } | null)?.resourceType === 'Bundle';
    if (!isBundle) return this.single(caller, requestId, body);
    const read = await issuesOf(() => readShape(caller, body, this.validator));
    if ('issues' in read) return { kind: 'transaction', taken: false, entries: [], analyses: 0, issues: read.issues };
    return read.kind === 'transaction' ? this.whole(caller, requestId, read) : this.each(caller, requestId, read);
  }

  private async single(caller: Caller, requestId: string, body: unknown): Promise<FhirDryRunView> {
    const type = (body as { resourceType?: unknown } | null)?.resourceType;
    if (typeof type !== 'string' || !/^[A-Za-z]{1,64}$/.test(type)) {
      const text = 'A resource is a JSON object that names its resourceType.';
      const issues = [{ severity: 'error', expression: null, text }];
      return { kind: 'resource', taken: false, entries: [], analyses: 0, issues };
    }
    const entry = { resource: body, request: { method: 'POST', url: type } };
    const view = await this.whole(caller, requestId, { kind: 'transaction', entries: [entry] });
    return { ...view, kind: 'resource', issues: view.issues.map((issue) => ofResource(issue, type)) };
  }

  private async whole(caller: Caller, requestId: string, shaped: ShapedBundle): Promise<FhirDryRunView> {
    const tried = await this.attempt(caller, requestId, shaped);
    const isTaken = !tried.issues.some(isError);
    const asked = shaped.entries.map((entry, index) => refusedEntry(entry, index));
    return { kind: 'transaction', taken: isTaken, ...tried, entries: isTaken ? tried.entries : asked };
  }

  /** Entries of a batch are independent: each is tried and rolled back on its own. */
  private async each(caller: Caller, requestId: string, { entries }: ShapedBundle): Promise<FhirDryRunView> {
    const views: FhirDryRunView[] = [];
    for (const entry of entries)
      views.push(await this.whole(caller, requestId, { kind: 'transaction', entries: [entry] }));
    return {
      kind: 'batch',
      taken: views.every(({ taken }) => taken),
      entries: views.flatMap((view, index) => view.entries.map((entry) => ({ ...entry, index }))),
      analyses: views.reduce((sum, { analyses }) => sum + analyses, 0),
      issues: views.flatMap(({ issues }, index) => issues.map((issue) => ofEntry(issue, index))),
    };
  }

  private async attempt(caller: Caller, requestId: string, shaped: ShapedBundle): Promise<Tried> {
    const request = { base: `${this.address.url}/fhir`, requestId, strict: true, quota: 'refuse' } as const;
    const read = await issuesOf(() =>
      this.performer
        .perform<never>(caller, request, shaped, async (call, run) => {
          throw new TakenBack(await this.outcomeOf(call, await run()));
        })
        .catch((thrown: unknown) => {
          if (thrown instanceof TakenBack) return thrown.tried;
          throw thrown;
        }),
    );
    return 'entries' in read ? read : { entries: [], analyses: 0, issues: read.issues };
  }

  private async outcomeOf(call: FhirCall, performed: readonly PerformedEntry[]): Promise<Tried> {
    const resources = performed.map(({ answer }) => shownBy(answer)[0] ?? null);
    const { analysisIds } = await this.analyses.find(call, resources);
    return {
      entries: performed.map(({ entry, answer }) => ({
        index: entry.index,
        request: `${entry.method} ${entry.target.type}`,
        outcome: outcomeOf(entry.method, entry.skipped !== undefined, answer),
      })),
      analyses: analysisIds.length,
      issues: performed.flatMap(({ entry, answer }) =>
        (answer.outcome?.issue ?? []).map(({ severity, details }) => ({
          severity: severity ?? 'information',
          expression: `Bundle.entry[${entry.index}]`,
          text: details?.text ?? '',
        })),
      ),
    };
  }
}

/** The result of `work`, or the issues of its refusal. */
async function issuesOf<T extends object>(work: () => Promise<T>): Promise<T | { readonly issues: DryRunIssue[] }> {
  try {
    return await work();
  } catch (thrown) {
    if (!isSuturaError(thrown) || OF_THE_SERVICE.includes(thrown.kind)) throw thrown;
    return {
      issues: toOperationOutcome(thrown, '').issue.map(({ severity, details, expression }) => ({
        severity: severity ?? 'error',
        expression: expression?.[0] ?? null,
        text: details?.text ?? thrown.detail,
      })),
    };
  }
}

function outcomeOf(method: string, isAside: boolean, { status }: FhirAnswer): DryRunEntry['outcome'] {
  if (isAside) return 'ignored';
  if (method === 'GET' || method === 'HEAD') return 'read';
  if (status === 201) return 'created';
  return method === 'POST' ? 'matched' : 'updated';
}

function refusedEntry({ request }: ShapedBundle['entries'][number], index: number): DryRunEntry {
  const type = String(request['url'] ?? '').split(/[/?]/)[0] ?? '';
  return { index, request: `${String(request['method'])} ${type}`, outcome: 'refused' };
}

const isError = ({ severity }: DryRunIssue): boolean => severity === 'error' || severity === 'fatal';

/** `Bundle.entry[0].resource.code` of a resource that was sent alone is `Media.code`. */
function ofResource(issue: DryRunIssue, type: string): DryRunIssue {
  const place = issue.expression?.replace(/^Bundle\.entry\[0\](?:\.resource|\.request\.\w+)?/, type) ?? null;
  return { ...issue, expression: place };
}

function ofEntry(issue: DryRunIssue, index: number): DryRunIssue {
  const expression = issue.expression?.replace(/^Bundle\.entry\[0\]/, `Bundle.entry[${index}]`);
  return { ...issue, expression: expression ?? `Bundle.entry[${index}]` };
}
