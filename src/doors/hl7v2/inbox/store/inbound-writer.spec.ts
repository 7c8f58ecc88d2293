import { randomUUID } from 'node:crypto';
import type { Answer, SystemStatements } from '../../../../platform/database/statements.js';
import type { NewInbound } from './inbound-record.js';
import { InboundWriter } from './inbound-writer.js';

const COLUMNS = 27;

/** Statements that end when they are told to. */
class ManualStatements {
  readonly running: { readonly messages: number; readonly end: (fault?: Error) => void }[] = [];

  runPrepared(_sql: string, values: readonly unknown[]): Promise<Answer<{ id: string }>> {
    const ids = values.filter((_, place) => place % COLUMNS === 0) as string[];
    return new Promise((done, failed) => {
      const end = (fault?: Error): void =>
        fault === undefined ? done({ rows: ids.map((id) => ({ id })), affected: ids.length }) : failed(fault);
      this.running.push({ messages: ids.length, end });
    });
  }

  get sizes(): number[] {
    return this.running.map(({ messages }) => messages);
  }
}

function messageOf(sizeBytes = 1000): NewInbound {
  const texts = {
    address: '127.0.0.1',
    sendingApplication: 'EHR',
    sendingFacility: 'HOSP',
    controlId: '1',
    messageType: 'ORU^R01',
    version: '2.5.1',
  };
  const states = {
    transport: 'mllp',
    state: 'received',
    acceptCode: 'CA',
    applicationAck: 'never',
    ackCode: null,
    ack: null,
    leaseToken: null,
  } as const;
  const ids = {
    id: randomUUID(),
    organizationId: randomUUID(),
    environment: 'test',
    sourceId: randomUUID(),
    keyId: randomUUID(),
    mayReview: false,
  } as const;
  return {
    ...ids,
    ...texts,
    ...states,
    problems: [],
    sizeBytes,
    raw: Buffer.alloc(sizeBytes),
    messageKey: Buffer.alloc(32),
    sha256: Buffer.alloc(32),
    fileDigests: [],
  };
}

const turn = () => new Promise((next) => setImmediate(next));

describe('InboundWriter', () => {
  let statements: ManualStatements;
  let writer: InboundWriter;
  beforeEach(() => {
    statements = new ManualStatements();
    writer = new InboundWriter(statements as unknown as SystemStatements, 60);
  });

  /** What became of each message, as far as it is known. */
  const write = async (...sizes: readonly number[]) => {
    const outcomes: unknown[] = sizes.map(() => 'waits');
    sizes.forEach(
      (size, place) =>
        void writer.write(messageOf(size)).then(
          (inserted) => (outcomes[place] = inserted),
          (fault: Error) => (outcomes[place] = fault.message),
        ),
    );
    await turn();
    return outcomes;
  };

  it('acknowledges nothing before its own statement has ended', async () => {
    const first = await write(1000, 1000);
    const second = await write(1000, 1000, 1000);
    expect([statements.sizes, first, second]).toEqual([[2], ['waits', 'waits'], ['waits', 'waits', 'waits']]);
    statements.running[0]!.end();
    await turn();
    await turn();
    expect([statements.sizes, first, second]).toEqual([
      [2, 3],
      [true, true],
      ['waits', 'waits', 'waits'],
    ]);
  });

  it('writes each by itself where one of them cannot be written', async () => {
    const outcomes = await write(1000, 1000);
    statements.running[0]!.end(new Error('one is not right'));
    await turn();
    statements.running[1]!.end(new Error('this one'));
    await turn();
    statements.running[2]!.end();
    await turn();
    expect([statements.sizes, outcomes]).toEqual([
      [2, 1, 1],
      ['this one', true],
    ]);
  });

  it('lets small messages go beside a large one, and no third statement', async () => {
    const large = await write(2_000_000);
    const small = await write(1000, 1000);
    await write(2_000_000);
    expect(statements.sizes).toEqual([1, 2]);
    statements.running[1]!.end();
    await turn();
    await turn();
    expect([statements.sizes, large, small]).toEqual([[1, 2, 1], ['waits'], [true, true]]);
    await write(1000);
    expect(statements.sizes).toEqual([1, 2, 1]);
  });
});
