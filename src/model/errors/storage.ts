/** Rows of the table of errors (`model/errors.ts`): what the disk refuses, and what on it is not what was written. */

import type { ErrorRows, None } from './row.ts';

interface Damaged {
  domainId: string;
  /** yyyy-mm-dd; '' when the damage is to the site as a whole. */
  day: string;
  /** For the operator only, as is the fault. */
  path: string;
  fault: string;
}

export const STORAGE_ERRORS = {
  /** The state knows more than the log: the log was lost, replaced or restored from a backup. */
  LOG_BEHIND_CHECKPOINT: {
    status: 500,
    text: (d: { checkpoint: number; last: number }) =>
      `the log ends at ${d.last} but a checkpoint says ${d.checkpoint}: restore the directories log and state together, from the same backup`,
  },
  /** The disk refused a commit: nothing of it counts. */
  LOG_WRITE_FAILED: {
    status: 503,
    text: (d: { reason: string }) => `the log cannot be written: ${d.reason}`,
    told: 'the service cannot store this now; nothing of the request counts; try again',
    retryAfterSeconds: 1,
  },
  /** The disk refused a checkpoint: the log still has everything. */
  STATE_WRITE_FAILED: {
    status: 503,
    text: (d: { reason: string }) => `the state cannot be written: ${d.reason}`,
    told: 'the service cannot save now; nothing acknowledged is lost; try again',
    retryAfterSeconds: 1,
  },
  /** Nobody can tell which of two moments is on disk: the process ends, and the log is replayed. */
  STATE_SYNC_FAILED: {
    status: 500,
    text: (d: { file: string; reason: string }) =>
      `the state ${d.file} cannot be used any more: ${d.reason}; check the disk and start again`,
  },
  /** A file that somebody brings cannot be kept (P-2). */
  UPLOAD_FAILED: {
    status: 503,
    text: (d: { reason: string }) => `the upload cannot be kept: ${d.reason}`,
    told: 'the service has no room for this upload now; nothing of it is kept',
    retryAfterSeconds: 60,
  },
  /** Files of an export cannot be written. */
  EXPORT_FAILED: {
    status: 503,
    text: (d: { reason: string }) => `the export cannot be written: ${d.reason}`,
    told: 'the service has no room for this export now; nothing of it is kept',
    retryAfterSeconds: 60,
  },
  /** Files of an export lie on the disk of the node that wrote them, and it does not answer. */
  EXPORT_AWAY: {
    status: 503,
    text: (_: None) =>
      'the node that has the files of this export is away: try again, or export again',
    retryAfterSeconds: 5,
  },
  /** What was stored of a site is not what was written: it is not counted with, nor on top of it. */
  STATE_DAMAGED: {
    status: 503,
    text: ({ day }: Damaged) =>
      `stored data of this site${day === '' ? '' : ` (${day})`} is damaged; the operator has to restore it from a backup`,
    told: 'stored data of this site is damaged; the operator has to restore it from a backup',
    retryAfterSeconds: 60,
    detail: ({ domainId, day, path, fault }: Damaged) =>
      `${path}: ${fault}; site ${domainId}${day === '' ? '' : `, day ${day}`}`,
  },
  /** An environment that cannot be trusted as a whole: at the start, before it is opened. */
  STORE_DAMAGED: {
    status: 500,
    text: (d: { path: string; fault: string; remedy: string }) =>
      `${d.path} is damaged: ${d.fault}; ${d.remedy}`,
  },
  /** Nobody can tell what reached the disk: the process ends and recovers. */
  LOG_SYNC_FAILED: {
    status: 500,
    text: (d: { file: string; reason: string }) =>
      `the log ${d.file} cannot be synced: ${d.reason}; check the disk and start again`,
  },
  /** A log file that recovery cannot read to where it must; a torn tail is no damage. */
  LOG_DAMAGED: {
    status: 500,
    text: (d: { file: string; fault: string }) =>
      `the log file ${d.file} cannot be used: ${d.fault}; restore the directories log and state from one backup`,
  },
  SNAPSHOT_DAMAGED: {
    status: 500,
    text: (d: { name: string; fault: string }) =>
      `the snapshot ${d.name} cannot be used: ${d.fault}`,
  },
  /** A folder or an archive that no backup can be written to or read from. */
  BACKUP_UNUSABLE: {
    status: 500,
    text: (d: { path: string; reason: string }) =>
      `the backup ${d.path} cannot be used: ${d.reason}`,
  },
  BACKUP_DAMAGED: {
    status: 500,
    text: (d: { path: string; fault: string }) =>
      `the backup ${d.path} is damaged: ${d.fault}; 'footfall verify --backup' says what else is, take another backup`,
  },
} satisfies ErrorRows;
