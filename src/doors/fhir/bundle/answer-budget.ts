import { SuturaError } from '../../../core/errors/sutura-error.js';
import { isStored, type FhirAnswer } from '../call/fhir-call.js';
import { sizeOf } from '../../../standards/fhir/validation/resource-weight.js';

/** Characters and values that the reads of one Bundle may answer together: some thousand ordinary resources. */
const LIMIT = 8 * 1024 * 1024;

/** The combined size of the reads of one Bundle: each is a page of its own, and one answer may hold five hundred of them. */
export class AnswerBudget {
  private left = LIMIT;

  /** `request.too_large` once the reads so far exceed what one answer holds. */
  async read(work: () => Promise<FhirAnswer>): Promise<FhirAnswer> {
    if (this.left <= 0)
      throw new SuturaError('request.too_large', {
        detail: 'What the entries read is more than one answer holds. Ask for the rest on its own.',
      });
    const answer = await work();
    this.left -= sizeOf(isStored(answer.body) ? answer.body.resource : answer.body);
    return answer;
  }
}
