import type { FhirAnswer } from '../call/fhir-call.js';
import { AnswerBudget } from './answer-budget.js';

describe('the reads of one Bundle', () => {
  it('are refused once their answers are more than one answer holds', async () => {
    const budget = new AnswerBudget();
    const page = {
      status: 200,
      body: { resourceType: 'Patient', name: [{ text: 'x'.repeat(3_000_000) }] },
    } as FhirAnswer;
    for (let count = 0; count < 3; count += 1)
      await expect(budget.read(() => Promise.resolve(page))).resolves.toBe(page);
    await expect(budget.read(() => Promise.resolve(page))).rejects.toMatchObject({ code: 'request.too_large' });
  });
});
