/** Names of what a node does by itself (`jobs/job-table.ts`): what metrics and commands call them. */

export const JOB_NAMES = [
  'reports',
  'spikes',
  'warnings',
  'goals',
  'erasures',
  'imports',
  'exports',
  'retention',
  'expired-sign-ins',
] as const;

export type JobName = (typeof JOB_NAMES)[number];
