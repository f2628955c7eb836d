/** Limits of what goes out: webhooks, mails, and the jobs that cause them; the others: `limits.ts`. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './limits.ts';

/**
 * Entries that one batch may make: each of its events is written down for each of its webhooks, of which
 * there may be 500. Half a second of who stores hits; a full batch fits where five are told.
 */
export const BATCH_ENTRY_COUNT_MAX = 50_000;
/** About their bytes: a sixteenth of what may wait on a node. */
export const BATCH_ENTRY_BYTES_MAX = 64 * 1_024 * 1_024;
/** About the bytes of entries that one transaction writes; those of a single event may be more. */
export const OUTBOX_SAVE_BYTES_MAX = 8 * 1_024 * 1_024;
/** About the bytes of an entry on disk beside what is sent: ids, key, its place in a page. */
export const ENTRY_BYTES = 200;
/** Bytes of the address of a webhook (M-51). */
export const WEBHOOK_ADDRESS_BYTES_MAX = 2_000;
/** Bytes of a webhook's secret: as many as HMAC-SHA256 puts out (O-10). */
export const WEBHOOK_SECRET_BYTES = 32;
/** Attempts of an entry: the first, and one after each time of O-11. */
export const WEBHOOK_ATTEMPT_COUNT_MAX = 8;
/** Attempts of a webhook at once (O-11). */
export const WEBHOOK_PLACE_COUNT = 4;
/** A receiver has this long to answer (O-11). */
export const WEBHOOK_TIME_MS_MAX = 10 * SECOND_MS;
/** More failures in a row than these set a webhook inactive. */
export const WEBHOOK_FAILURE_COUNT_MAX = 100;
/** Entries of an inactive webhook stay for a day (O-11). */
export const WEBHOOK_INACTIVE_KEPT_MS = DAY_MS;
/** Attempts of a webhook that are listed (O-13). */
export const WEBHOOK_ATTEMPT_LIST_COUNT = 200;
/** Samples under way (O-13): of a domain, as many as of a webhook's attempts; of a node. */
export const WEBHOOK_TEST_DOMAIN_COUNT_MAX = 4;
export const WEBHOOK_TEST_COUNT_MAX = 64;
/** Bytes of an answer that are kept (O-13). */
export const WEBHOOK_ANSWER_BYTES_MAX = 500;
/** Entries, and their bytes, that wait on a node (O-2). */
export const OUTBOX_ENTRY_COUNT_MAX = 1_000_000;
export const OUTBOX_BYTES_MAX = 1_024 * 1_024 * 1_024;
/** Connections outwards at once: of these a receiver that hangs has one (O-2). */
export const OUTBOUND_CONNECTION_COUNT_MAX = 512;
/** Of these for all webhooks of one domain: sixteen receivers that are told as fast as may be. */
export const OUTBOUND_DOMAIN_CONNECTION_COUNT_MAX = 64;
/** Bytes that are sent by the entries that are fetched of a webhook at once; a few may have more. */
export const OUTBOX_FETCH_BYTES_MAX = 64 * 1_024;
/** Entries that one transaction takes away at most: some ten milliseconds of who stores hits. */
export const OUTBOX_SHED_COUNT_MAX = 1_000;

/** How long a mail to a person is kept, sent or not: by then the last attempt is over. */
export const MAIL_KEPT_MS = DAY_MS;
/** Nobody waits longer for who sends a mail: twice what an attempt can take. */
export const MAIL_CLAIM_MS = 2 * MINUTE_MS;
/** After the first attempt, the second, …; then a mail is given up (O-11, O-21). */
export const MAIL_DELAYS_MS: readonly number[] = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS],
  ...[HOUR_MS, 3 * HOUR_MS, 8 * HOUR_MS],
];
/** Mails to people that one address is sent in a day, of all kinds. */
export const ADDRESS_MAIL_COUNT_MAX = 20;
/** Webhooks set inactive that one address is told of in a day. */
export const ADDRESS_NOTICE_COUNT_MAX = 20;
/** Links for a new password that one address is sent in a day. */
export const ADDRESS_RESET_COUNT_MAX = 10;
/** Mails in a day that one person causes by inviting: four times the most that is asked for at once. */
export const INVITER_MAIL_COUNT_MAX = 200;
/** Mails to people that are kept in all: 10 MB of the registry. */
export const MAIL_COUNT_MAX = 20_000;
/** Beyond so many that wait or are kept nothing is written down but what people ask for. */
export const TOLD_MAIL_COUNT_MAX = MAIL_COUNT_MAX / 2;
/** Mails that are handed to the mail server at the same time. */
export const SENDING_MAIL_COUNT_MAX = 4;
/** How often mails that are due are looked for. */
export const MAIL_LOOK_MS = 500;
/** What is being sent when the service stops has this long to be answered. */
export const MAIL_STOP_MS = 4 * SECOND_MS;
/** After a spike was told its domain is silent. */
export const SPIKE_SILENCE_MS = 12 * HOUR_MS;
/** How often it is looked for spikes (O-40). */
export const SPIKE_LOOK_MS = 10 * SECOND_MS;
/**
 * How often it is looked for domains without hits; also how long after a start, or after hits could not
 * come or waited in a spool: they may be on their way.
 */
export const WARNING_LOOK_MS = MINUTE_MS;
/** How often goals are counted, if something came since; five minutes are promised. */
export const GOAL_LOOK_MS = MINUTE_MS;
/** Pages and referrers that a mail on a spike has. */
export const SPIKE_ROW_COUNT = 5;
/** Code points of their names that are written down: more than a mail shows. */
export const SPIKE_NAME_LENGTH_MAX = 200;
/** A goal is counted again after it, though nothing came: a hit may have a time that is still to come. */
export const GOAL_AGAIN_MS = 4 * MINUTE_MS;
/** How often it is written down how the jobs go. */
export const JOB_BOARD_SAVE_MS = 5 * SECOND_MS;
/** How often it is looked whether reports are due (O-30). */
export const REPORT_LOOK_MS = 10 * SECOND_MS;
/** Reports that are written down in one record of the registry. */
export const REPORT_COUNT_PER_RECORD = 50;
/** A report that is due later than its interval and this is of a clock that was wrong by months. */
export const REPORT_AHEAD_MS = 32 * DAY_MS;
/** Of each list a report has so many (O-31). */
export const REPORT_ROW_COUNT = 5;
/** A report of more days has a bar for each week: four weeks of days fit a mail. */
export const REPORT_DAY_BAR_COUNT_MAX = 28;
