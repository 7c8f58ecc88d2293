import type { Resource, ResourceType } from '@medplum/fhirtypes';

/** A look-up that waits for the others of its turn. */
interface Asked<Question> {
  readonly question: Question;
  readonly done: (found: Resource[]) => void;
  readonly failed: (fault: unknown) => void;
}

/** Look-ups of one kind that are made in the same turn of the event loop are asked of the database at once. */
export class JoinedLookups<Question> {
  private readonly waiting = new Map<ResourceType, Asked<Question>[]>();

  /** `answer` answers each question, in their order. */
  constructor(private readonly answer: (type: ResourceType, questions: readonly Question[]) => Promise<Resource[][]>) {}

  find(type: ResourceType, question: Question): Promise<Resource[]> {
    return new Promise((done, failed) => {
      const asked = { question, done, failed };
      const waiting = this.waiting.get(type);
      if (waiting !== undefined) return void waiting.push(asked);
      this.waiting.set(type, [asked]);
      // Once the promises of this turn have run.
      process.nextTick(() => void this.settle(type));
    });
  }

  private async settle(type: ResourceType): Promise<void> {
    const group = this.waiting.get(type) ?? [];
    this.waiting.delete(type);
    try {
      const found = await this.answer(
        type,
        group.map(({ question }) => question),
      );
      group.forEach(({ done }, at) => done(found[at] ?? []));
    } catch (fault) {
      for (const { failed } of group) failed(fault);
    }
  }
}
