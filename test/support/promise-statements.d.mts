export const JOBS_WITHOUT_THEIR_ONE_REPORT: string;
export const CHARGES_WITHOUT_THEIR_JOBS: string;
export const CHARGES_WITHOUT_JOBS_OF_ONE: string;
export const CHARGES_WITHOUT_JOBS_OF_ANY_DAY: string;
