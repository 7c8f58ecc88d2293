import { useMutation } from '@tanstack/react-query';
import { ask } from '../../shared/api.js';
import { rememberWorklist } from '../../shared/worklist-return.js';
import type { Environment } from '../shared/answers.js';

export interface Desk {
  readonly open: (reportId: string) => void;
  /** Of the last try; null: none. */
  readonly fault: unknown;
}

/** Opens the review desk for a report, in the person's own name, in this tab; the desk leads back here. */
export function useDesk(organizationId: string, environment: Environment): Desk {
  const { mutate, error } = useMutation({
    mutationFn: async (reportId: string) =>
      (
        await ask<{ readonly url: string }>(
          'POST',
          `/admin/v1/organizations/${organizationId}/reports/${reportId}/review-links`,
          { body: { environment, of: 'report' } },
        )
      ).data,
    onSuccess: ({ url }) => {
      rememberWorklist(organizationId, environment);
      window.location.assign(url);
    },
  });
  return { open: mutate, fault: error };
}
