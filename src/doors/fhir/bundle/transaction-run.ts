import type { ResourceType } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { createdAnswer, matchedAnswer } from '../interactions/answers.js';
import { isStored, type FhirAnswer, type FhirCall } from '../call/fhir-call.js';
import { requireIdentifierValues } from '../interactions/choosing-criteria.js';
import { permit, permitMatch } from '../interactions/interaction-check.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { updatePut } from '../interactions/perform-put.js';
import type { ResourceInteractions } from '../interactions/resource-interactions.js';
import type { AdmittedResource, Submission } from '../interactions/resource-writing.js';
import { OutcomeError } from '../../../standards/fhir/outcome/outcome-error.js';
import type { ResourceSearch } from '../search/resource-search.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import { pacer } from '../../../platform/turns/turns.js';
import { AnswerBudget } from './answer-budget.js';
import type { BundleEntry } from './bundle-entry.js';
import { atEntry, entryError } from './entry-fault.js';
import { criteriaOf } from './entry-links.js';
import { answerPatch, answerRead } from './entry-interaction.js';
import { identityOf, putRequestOf } from './read-entry.js';
import { skippedAnswer } from './unsupported-entries.js';
import { TransactionDeletions } from './transaction-deletions.js';
import type { DraftedWrite, TransactionDraft } from './transaction-draft.js';

/** Criteria are searched one after another. */
const CRITERIA_LIMIT = 500;

interface Creation extends DraftedWrite {
  readonly submission: Submission;
  id: string;
}

/** One transaction Bundle within its database transaction. Used once. */
export class TransactionRun {
  private readonly answers = new Map<number, FhirAnswer>();
  private readonly creations: Creation[];
  private readonly deletions: TransactionDeletions;
  /** Entries that create nothing after all: their prepared bytes are not needed. */
  private readonly unused = new Set<DraftedWrite>();
  /** Ids of the resources that PUTs change, by the index of the entry. */
  private readonly changed = new Map<number, string>();

  constructor(
    private readonly draft: TransactionDraft,
    private call: FhirCall,
    private readonly interactions: ResourceInteractions,
    private readonly searching: ResourceSearch,
    private readonly strict: boolean,
  ) {
    this.deletions = new TransactionDeletions(draft.entries, interactions);
    this.creations = draft.writes
      .flatMap((write) => (write.submission === null ? [] : [{ ...write, submission: write.submission, id: '' }]))
      .sort(inBindingOrder);
  }

  /**
   * The answers in the order of the entries. DELETE, POST, then PUT and PATCH, then what follows from what was created, then GET: reads see all
   * of it (R4 http.html 3.1.0.11.2). Throws the refusal of the first entry at fault, in the order in which they are processed.
   */
  async run(): Promise<FhirAnswer[]> {
    for (const entry of this.draft.entries)
      if (entry.skipped !== undefined) this.answers.set(entry.index, skippedAnswer(entry));
    for (const [{ index }, answer] of await this.deletions.perform(this.call)) this.answers.set(index, answer);
    await this.match();
    this.refuseSame();
    await this.resolveCriteria();
    await this.bind();
    this.refuseSame();
    this.call = { ...this.call, together: this.written() };
    const created = await this.create();
    await this.change();
    await this.settle(created);
    await this.requireMet();
    await this.deletions.refuseReferred(this.call);
    await this.read();
    return this.draft.entries.map(({ index }) => this.answers.get(index)!);
  }

  isUnused(write: DraftedWrite): boolean {
    return [...this.unused].some(({ entry }) => entry === write.entry);
  }

  /** `Type/id` of what the entries create and put. */
  private written(): ReadonlySet<string> {
    const put = this.changing().filter(({ method }) => method === 'PUT');
    const created = this.pendingCreations().map(({ resource, id }) => `${resource.resourceType}/${id}`);
    return new Set([
      ...created,
      ...put.filter((entry) => this.idOf(entry) !== null).map((entry) => this.addressOf(entry)),
    ]);
  }

  /** Resolves If-None-Exist and PUTs. Locks are taken in one order, so that two transactions with the same criteria cannot wait for each other. */
  private async match(): Promise<void> {
    const conditional = this.creations
      .filter(({ entry }) => entry.method === 'PUT' || entry.conditions.ifNoneExist !== undefined)
      .sort((first, second) => compare(criteriaText(first), criteriaText(second)));
    for (const creation of conditional) {
      const { entry, resource } = creation;
      const match = await this.at(creation, () =>
        entry.method === 'PUT'
          ? this.interactions.putting.claim(this.call, putRequestOf(entry))
          : this.interactions.matches.matchExisting(this.call, resource.resourceType, entry.conditions.ifNoneExist!),
      );
      if (match === null) continue;
      if (entry.method === 'PUT') this.turnToUpdate(creation, match.resource.id!);
      else this.answers.set(entry.index, matchedAnswer(match));
      this.unused.add(creation);
      this.draft.links.assign(entry, `${resource.resourceType}/${match.resource.id}`);
    }
    for (const entry of this.changing())
      if (entry.method === 'PATCH' || !this.isCreation(entry)) this.draft.links.assign(entry, this.addressOf(entry));
  }

  private turnToUpdate(creation: Creation, id: string): void {
    this.changed.set(creation.entry.index, id);
    this.unused.add(creation);
  }

  /** `fhir.bundle` where two entries change the same resource by different names. */
  private refuseSame(): void {
    const seen = new Set(this.deletions.addresses());
    for (const entry of this.changing()) {
      if (this.idOf(entry) === null) continue;
      const address = this.addressOf(entry);
      if (seen.has(address))
        throw entryError(entry.index, 'invalid', '.request.url', 'Another entry changes the same resource.');
      seen.add(address);
    }
  }

  private changing(): BundleEntry[] {
    return this.draft.entries.filter(
      ({ method, skipped }) => skipped === undefined && (method === 'PUT' || method === 'PATCH'),
    );
  }

  private idOf({ index, target }: BundleEntry): string | null {
    return (
      this.changed.get(index) ??
      (target.kind === 'instance' ? (this.draft.known.get(`${target.type}/${target.id}`) ?? target.id) : null)
    );
  }

  private addressOf(entry: BundleEntry): string {
    return `${entry.target.type}/${this.idOf(entry)}`;
  }

  private isCreation(entry: BundleEntry): boolean {
    return this.creations.some((creation) => creation.entry === entry);
  }

  /** Conditional references: exactly one match each. */
  private async resolveCriteria(): Promise<void> {
    const known = new Set<string>();
    const pause = pacer();
    for (const write of this.pending()) {
      await pause();
      for (const link of write.links) {
        const { kind, value, expression } = link;
        const wanted = kind === 'reference' && !known.has(value) ? criteriaOf(value, this.call.base) : null;
        if (wanted === null) continue;
        if (this.isSkipped(wanted.type)) {
          link.detach(wanted.type);
          continue;
        }
        known.add(value);
        if (known.size > CRITERIA_LIMIT)
          throw atEntry(
            new SuturaError('request.too_large', {
              detail: `A Bundle has at most ${CRITERIA_LIMIT} different conditional references. Send several.`,
            }),
            write.entry.index,
          );
        this.draft.links.assignCriteria(
          value,
          await this.at(write, () => this.resolve(wanted.type as ResourceType, wanted.criteria, expression)),
        );
      }
    }
  }

  /** Conditional references to unsupported types are dropped with the skipped entries. */
  private isSkipped(type: string): boolean {
    return rowOf(type) === undefined && this.draft.entries.some(({ skipped }) => skipped !== undefined);
  }

  private async resolve(type: ResourceType, criteria: string, expression: string): Promise<string> {
    permit(this.call.caller, type, 'search');
    requireIdentifierValues(criteria, expression);
    permitMatch(this.call.caller, type, criteria);
    const matches = await this.searching.match(this.call, type, criteria, 2);
    const [match] = matches;
    if (match !== undefined && matches.length === 1) return `${type}/${match.resource.id}`;
    const [code, issue] =
      match === undefined
        ? (['fhir.no_match', 'not-found'] as const)
        : (['fhir.multiple_matches', 'multiple-matches'] as const);
    throw new OutcomeError(code, [
      { severity: 'error', code: issue, expression, details: new SuturaError(code).detail },
    ]);
  }

  /** Each new resource gets its id, and every link to it is rewritten; cycles are legal, since ids come before resources. */
  private async bind(): Promise<void> {
    const pause = pacer();
    for (const creation of this.pendingCreations()) {
      await pause();
      const { entry, resource, links, submission } = creation;
      this.draft.links.rewrite(links, entry.fullUrl);
      const { id, isKnown } = await this.at(creation, async () =>
        entry.method === 'PUT'
          ? this.interactions.putting.bind(this.call, putRequestOf(entry), submission)
          : { id: await this.interactions.writing.assignId(this.call, submission), isKnown: false },
      );
      creation.id = id;
      if (isKnown) this.turnToUpdate(creation, id);
      this.draft.links.assign(entry, `${resource.resourceType}/${id}`);
    }
    for (const { entry, links } of this.pending()) {
      await pause();
      this.draft.links.rewrite(links, entry.fullUrl);
    }
  }

  private async create(): Promise<readonly StoredResource[]> {
    const admitted: AdmittedResource[] = [];
    for (const creation of this.pendingCreations())
      admitted.push(
        await this.at(creation, () => this.interactions.writing.admit(this.call, creation.submission, creation.id)),
      );
    return this.atCreated(() => this.interactions.writing.insert(admitted));
  }

  /** In one order too. No identity is changed twice, so the order does not change the result. */
  private async change(): Promise<void> {
    const creating = new Set(this.pendingCreations().map(({ entry }) => entry));
    const changes = this.changing()
      .filter((entry) => !creating.has(entry))
      .sort((first, second) => compare(identityOf(first.target), identityOf(second.target)));
    for (const entry of changes) {
      const change = (): Promise<FhirAnswer> =>
        entry.method === 'PUT'
          ? updatePut(this.interactions, this.call, putRequestOf(entry), this.idOf(entry)!)
          : answerPatch(this.interactions, this.call, entry);
      this.answers.set(entry.index, await this.at({ entry }, change));
    }
  }

  private async settle(created: readonly StoredResource[]): Promise<void> {
    const settled = await this.atCreated(() => this.interactions.writing.settle(this.call, created));
    for (const [at, { entry, submission }] of this.pendingCreations().entries())
      this.answers.set(
        entry.index,
        createdAnswer(
          settled[at]!,
          await this.interactions.writing.advice(this.call, settled[at]!, submission.prepared),
        ),
      );
  }

  /** What was written by criteria meets them. */
  private async requireMet(): Promise<void> {
    for (const { entry } of this.draft.writes) {
      const { method, target, conditions } = entry;
      const criteria =
        method === 'POST' ? conditions.ifNoneExist : target.kind === 'type' ? target.query.toString() : undefined;
      const answer = this.answers.get(entry.index);
      const isMatch = method === 'POST' && answer?.status === 200;
      if (criteria === undefined || answer === undefined || isMatch || !isStored(answer.body)) continue;
      const written = answer.body;
      await this.at({ entry }, () => this.interactions.matches.requireMet(this.call, criteria, written));
    }
  }

  /** A refusal of one of those that are created together is that of its entry. */
  private async atCreated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      const about = thrown instanceof OutcomeError ? thrown.about : null;
      // Two entries may be bound to one record: then the second is refused.
      const creation = this.pendingCreations().findLast(
        ({ resource, id }) => about === `${resource.resourceType}/${id}`,
      );
      throw creation === undefined ? thrown : atEntry(thrown, creation.entry.index);
    }
  }

  private async read(): Promise<void> {
    const budget = new AnswerBudget();
    for (const entry of this.draft.entries) {
      if (entry.method === 'GET' || entry.method === 'HEAD')
        this.answers.set(
          entry.index,
          await this.at({ entry }, () =>
            budget.read(() => answerRead(this.interactions, this.call, entry, this.strict)),
          ),
        );
    }
  }

  private pendingCreations(): Creation[] {
    return this.creations.filter((creation) => !this.unused.has(creation));
  }

  /** All entries that will be written, and so have links to rewrite. */
  private pending(): DraftedWrite[] {
    return [
      ...this.pendingCreations(),
      ...this.draft.writes.filter(({ entry, submission }) => submission === null || this.changed.has(entry.index)),
    ];
  }

  private async at<T>({ entry }: Pick<DraftedWrite, 'entry'>, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw atEntry(thrown, entry.index);
    }
  }
}

/** Orders by rank, then by identifier: two transactions with the same patients take them in the same order. */
function inBindingOrder(first: Creation, second: Creation): number {
  return (
    rankOf(first) - rankOf(second) ||
    compare(identifierText(first), identifierText(second)) ||
    first.entry.index - second.entry.index
  );
}

function rankOf({ resource }: Creation): number {
  return rowOf(resource.resourceType)?.transaction?.bindRank ?? Number.MAX_SAFE_INTEGER;
}

function identifierText({ resource }: Creation): string {
  return JSON.stringify((resource as { identifier?: unknown }).identifier ?? '');
}

function criteriaText({ resource, entry }: Creation): string {
  return entry.method === 'PUT' ? identityOf(entry.target) : `${resource.resourceType}?${entry.conditions.ifNoneExist}`;
}

function compare(first: string, second: string): number {
  return first < second ? -1 : Number(first > second);
}
