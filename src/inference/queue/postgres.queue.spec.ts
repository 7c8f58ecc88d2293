import type { Statements } from '../../platform/database/statements.js';
import { PostgresQueue } from './postgres.queue.js';

function setUp() {
  const sent: { channel: unknown; jobId: unknown; done: (error?: Error) => void }[] = [];
  const statements = {
    run: (_sql: string, [channel, jobId]: readonly unknown[]) =>
      new Promise((resolve, reject) =>
        sent.push({
          channel,
          jobId,
          done: (error) => (error === undefined ? resolve({ rows: [], affected: 1 }) : reject(error)),
        }),
      ),
  } as unknown as Statements;
  const queue = new PostgresQueue(statements);
  return { queue, sent, enqueue: (jobId: string) => queue.enqueue({ jobId, priority: 'routine', attempt: 0 }) };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('PostgresQueue', () => {
  it('tells its caller when the notification failed, and sends the next one', async () => {
    const { sent, enqueue } = setUp();
    const first = enqueue('a');
    sent[0]!.done(new Error('away'));
    await expect(first).rejects.toThrow('away');
    const second = enqueue('b');
    sent[1]!.done();
    await second;
  });

  it('notifies nobody of a job that a worker of its own process takes', async () => {
    const { queue, sent, enqueue } = setUp();
    const asked: string[] = [];
    queue.onWaiting((jobId) => asked.push(jobId) === 1);
    await enqueue('a');
    expect(sent).toEqual([]);
    const busy = enqueue('b');
    expect([asked, sent.map(({ jobId }) => jobId)]).toEqual([['a', 'b'], ['b']]);
    sent[0]!.done();
    await busy;
  });

  it('sends one notification for all jobs that come while one is on its way', async () => {
    const { sent, enqueue } = setUp();
    const all = Promise.all(['a', 'b', 'c', 'd'].map(enqueue));
    expect(sent).toHaveLength(1);
    sent[0]!.done();
    await settle();
    expect(sent.map(({ channel, jobId }) => [channel, jobId])).toEqual([
      ['sutura_work', 'a'],
      ['sutura_work', 'b'],
    ]);
    sent[1]!.done();
    await all;
  });
});
