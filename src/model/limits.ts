/**
 * Every bound of the product, with its unit in the name and its reason beside it.
 *
 * The table of limits in `docs/semantics.md` has all that a client can notice.
 */

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Silence that ends a session (I-40, strict). */
export const SESSION_GAP_MS = 30 * MINUTE_MS;
/** A session takes no more page views or events beyond this (I-49). */
export const SESSION_PAGE_VIEWS_MAX = 200;
/** Keep-alives counted per session; more stay at this (I-44). */
export const SESSION_EXTENDED_MAX = 65_535;
/** Domains on a bill; more are one row named All (S-99). */
export const BILLED_DOMAIN_COUNT_MAX = 50;
/** Keep-alives that are billed like one page view (S-99). */
export const KEEP_ALIVE_COUNT_PER_VIEW = 10;
/** Time on page is capped here (I-60). */
export const TIME_ON_PAGE_SECONDS_MAX = 3_600;

/** Code points of any input string (semantics, Limits). */
export const INPUT_TEXT_LENGTH_MAX = 8_192;
/** Code points kept of a path (I-6). */
export const PATH_LENGTH_MAX = 2_000;
/** Code points kept of a title (I-7). */
export const TITLE_LENGTH_MAX = 512;
/** Code points kept of a utm value (I-7). */
export const UTM_LENGTH_MAX = 2_000;
/** Code points kept of a language (I-7). */
export const LANGUAGE_LENGTH_MAX = 10;
/** Code points kept of a referrer and of a referrer name (I-7). */
export const REFERRER_LENGTH_MAX = 200;
/** Code points kept of a region and of a city: the longest known has 80, a file may say anything (I-87). */
export const PLACE_NAME_LENGTH_MAX = 200;
/** Code points kept of a referrer icon (I-7). */
export const REFERRER_ICON_LENGTH_MAX = 2_000;
/** Code points kept of os, os version, browser and browser version (I-7). */
export const AGENT_FIELD_LENGTH_MAX = 20;
/** Code points kept of a device. */
export const DEVICE_LENGTH_MAX = 50;
/** A user agent of this many bytes or fewer is a bot's (I-15). */
export const USER_AGENT_SHORT_BYTES = 16;
/** A user agent of more bytes than this is a bot's (I-15). */
export const USER_AGENT_BYTES_MAX = 500;

/** Code points of an event name; more is refused (I-56). */
export const EVENT_NAME_LENGTH_MAX = 200;
/** Pairs of event metadata (I-56). */
export const META_PAIR_COUNT_MAX = 20;
/** Code points of a metadata key (I-56). */
export const META_KEY_LENGTH_MAX = 100;
/** Code points of a metadata value (I-56). */
export const META_VALUE_LENGTH_MAX = 2_000;
/** Pairs of tags (I-56). */
export const TAG_PAIR_COUNT_MAX = 20;
/** Code points of a tag's key and of its value (I-56). */
export const TAG_TEXT_LENGTH_MAX = 50;
/** Seconds of an event's duration (semantics, Limits). */
export const EVENT_DURATION_SECONDS_MAX = 4_294_967_295;

/** Earliest `time` of a batch item: 2000-01-01T00:00:00Z (I-71). */
export const HIT_TIME_MS_MIN = 946_684_800_000;
/** A batch item may lie this far after its receipt (I-71). */
export const HIT_TIME_AHEAD_MS_MAX = DAY_MS;
/** Items of one batch. */
export const BATCH_ITEM_COUNT_MAX = 10_000;
/** Bytes of a batch body. */
export const BATCH_BODY_BYTES_MAX = 8 * 1_024 * 1_024;
/** Bytes of any other JSON body (semantics, Limits). */
export const BODY_BYTES_MAX = 1_024 * 1_024;
/** Characters of an Idempotency-Key (I-75). */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 128;
/** How long an Idempotency-Key is remembered (I-76). */
export const IDEMPOTENCY_KEY_MS = DAY_MS;

/** Names of programs that the ledger keeps of a domain's day; more are `(other)`: 15 kB a day. */
export const LEDGER_BOT_COUNT_MAX = 200;

/** Days of one question about them: an answer of half a megabyte, where messages may have one. */
export const LEDGER_BOT_DAYS_MAX = 92;

/** Distinct values of one kind that a segment keeps; beyond it `(other)` (I-79). */
export const DISTINCT_VALUES_MAX = 100_000;
/** The same for metadata values (I-79). */
export const DISTINCT_META_VALUES_MAX = 1_000_000;
/** The same for browser, versions, hostname, region, city and language (I-79). */
export const DISTINCT_NARROW_VALUES_MAX = 10_000;
/** Bytes of UTF-8 that the texts of one kind take in a segment; beyond it `(other)` (I-79). */
export const KIND_TEXT_BYTES_MAX = 16 * 1_024 * 1_024;
/** The same for all texts of a segment together (I-79). */
export const SEGMENT_TEXT_BYTES_MAX = 64 * 1_024 * 1_024;
/** What stands for every further value (I-79). */
export const OTHER_VALUE = '(other)';

/** Sums of one record of an import (S-98): hits of others wait for no more than its milliseconds. */
export const SUM_BATCH_COUNT_MAX = 5_000;
/** Bytes of them: a message of NATS has 1 MiB by default. */
export const SUM_BATCH_BYTES_MAX = 512 * 1_024;
/** Imports with sums that a domain has (S-98), shown or on their way. */
export const DOMAIN_IMPORT_COUNT_MAX = 100;

/** Days of a statistics range (F-3). */
export const RANGE_DAYS_MAX = 1_827;
/** Seconds of `start` (F-6). */
export const START_SECONDS_MAX = 3_600;
/** Rows of a list. */
export const LIST_LIMIT_MAX = 100;
/** Values that `options` shows (S-95). */
export const OPTION_COUNT_MAX = 200;
/** Counts of goals that are kept of a day at rest (S-63): some 3 kB of disk. */
export const DAY_TOTAL_COUNT_MAX = 64;
/** Days side by side of which a sum is kept, from each multiple of it on; the most first. */
export const SUM_DAY_COUNTS: readonly number[] = [32, 8, 1];
/** Page views of a sum's days for each of their pages and groups: of fewer it would be no smaller. */
export const SUM_VIEWS_PER_ROW_MIN = 12;
/** Pages and groups of a sum's days: some 10 MB of disk, and it is made in one go. */
export const SUM_ROW_COUNT_MAX = 500_000;
/** Questions of one batch (D-14). */
export const STATISTICS_BATCH_QUESTION_COUNT_MAX = 50;
/** Bytes of their body: what all of them share is as long as a query string may be, and each some more. */
export const STATISTICS_BATCH_BODY_BYTES_MAX = 64 * 1_024;
/** Bytes of all of their answers together: fifty full lists are a fifth of it. */
export const STATISTICS_BATCH_ANSWER_BYTES_MAX = 32 * 1_024 * 1_024;
/** A batch gives way to others after this long: what most dashboards ask is over by then. */
export const STATISTICS_BATCH_TURN_MS = 10;
/** Rows of a domain that are told to listeners one by one in a second; further ones are counted (O-50). */
export const LIVE_ROW_COUNT_MAX = 1_000;
/** What is stored within this time is told together. */
export const LIVE_GATHER_MS = 25;
/** Hits that a listener is sent in a second (O-50). */
export const LIVE_HIT_COUNT_MAX = 20;
/** Time of an edge in a second for the filters of its listeners; visitors' hits come first. */
export const LIVE_FILTER_MS_MAX = 400;
/** Of it for those that ask the same, so that one dear filter leaves time for others. */
export const LIVE_ONE_FILTER_MS_MAX = 250;
/** Instruction × character steps of a `pattern` on one path: some 15 ms at the slowest. */
export const LIVE_PATTERN_STEP_COUNT_MAX = 40_000;
/** Pages of the event `active` (O-50). */
export const LIVE_PAGE_COUNT_MAX = 20;
/** Streams of one edge: each holds some kilobytes, and a descriptor of the process. */
export const LIVE_STREAM_COUNT_MAX = 4_000;
/** Of them those of one domain, so that one site leaves room for the others. */
export const LIVE_STREAM_OF_DOMAIN_COUNT_MAX = 1_000;
/** Of those the ones of one network, so that nobody alone takes the room of a site's other readers. */
export const LIVE_STREAM_OF_NETWORK_COUNT_MAX = 100;
/** Bytes that a client may leave unread (O-51). */
export const LIVE_UNREAD_BYTES_MAX = 256 * 1_024;
/** From one comment line to the next (O-50). */
export const LIVE_COMMENT_MS = 15 * SECOND_MS;
/** Values of one query parameter (semantics, Limits). */
export const PARAMETER_VALUE_COUNT_MAX = 100;
/** A query that takes longer leaves a line in the log with its plan. */
export const QUERY_SLOW_MS = 1_000;
/** Rows one statistics query may scan: ten times the largest domain-quarter of the benchmarks. */
export const QUERY_ROWS_MAX = 500_000_000;
/** Texts a query worker keeps ids for over all domains; beyond it they are numbered anew. */
export const QUERY_TEXTS_MAX = 2_000_000;
/** Code points of a `pattern` (semantics, Limits). */
export const PATTERN_LENGTH_MAX = 500;
/** Instructions of a compiled `pattern`: a path of 2,000 characters then takes 0.1 s at the worst. */
export const PATTERN_INSTRUCTION_COUNT_MAX = 2_000;
/** Time one query may spend on testing paths with `pattern`. */
export const PATTERN_TIME_MS_MAX = 2_000;
/** Records of one kind that a domain or an organization has (M-6); they are listed in one answer. */
export const DOMAIN_CHILD_COUNT_MAX = 500;
/** Weeks between two reports (M-50): a year. */
export const REPORT_INTERVAL_COUNT_MAX = 52;
/** Addresses that one request has reports sent to (M-50). */
export const REPORTED_EMAIL_COUNT_MAX = 50;
/** Visitors at once that a spike may be set to (M-52). */
export const SPIKE_THRESHOLD_COUNT_MAX = 10_000_000;
/** Days without a hit that a warning may be set to (M-52): a year. */
export const WARNING_THRESHOLD_DAYS_MAX = 365;
/** Days that statistics may be kept for at the most, where they are not kept for good (P-21): a century. */
export const RETENTION_DAYS_MAX = 36_525;
/** After midnight UTC: days that are too old go then, once each day (P-21). */
export const RETENTION_AT_MS = 45 * MINUTE_MS;
/** How often it is looked whether that moment has come. */
export const RETENTION_LOOK_MS = MINUTE_MS;
/** Code points of one text of a snippet (M-22): it stands in an attribute of a tag. */
export const SNIPPET_TEXT_LENGTH_MAX = 2_000;
/** Largest target of a goal: the last integer that every JSON reader keeps. */
export const GOAL_TARGET_COUNT_MAX = Number.MAX_SAFE_INTEGER;
/** Themes of one user or organization; they are listed in one answer. */
export const OWNER_THEME_COUNT_MAX = 500;
/** Settings of a theme (M-70). */
export const THEME_SETTING_COUNT_MAX = 100;
/** Code points of a setting's key (M-70). */
export const THEME_KEY_LENGTH_MAX = 100;
/** Code points of a setting's value (M-70). */
export const THEME_VALUE_LENGTH_MAX = 2_000;
/** Bytes of a theme's file (M-70). */
export const FILE_BYTES_MAX = 1_024 * 1_024;
/** Bytes of a file that one record of the registry carries: a message of NATS has 1 MiB by default. */
export const FILE_PART_BYTES = 512 * 1_024;
/** A file that nothing has named for this long was left behind by a request that came to nothing. */
export const FILE_UNUSED_MS = HOUR_MS;
/** Parts of files that a thread keeps at hand, 8 MiB: slow clients ask for the same one again. */
export const FILE_CACHED_PART_COUNT_MAX = 16;
/** How long browsers keep the script (D-30): a day after an update all pages have the new one. */
export const SCRIPT_CACHE_SECONDS = 86_400;
/** The same for one with the settings of a domain: what is changed acts within ten minutes (D-31). */
export const SCRIPT_SETTINGS_CACHE_SECONDS = 600;
/** How long browsers keep a file: its address changes with its content (M-70). */
export const FILE_CACHE_SECONDS = 31_536_000;
/** Bytes of a multipart body: three files, the settings of a theme, and what is around them. */
export const FORM_BYTES_MAX = 5 * 1_024 * 1_024;
/** Parts of a multipart body: twice as many as there are names. */
export const FORM_PART_COUNT_MAX = 8;
/** Steps of a funnel. */
export const FUNNEL_STEP_COUNT_MIN = 2;
/** Steps of a funnel. */
export const FUNNEL_STEP_COUNT_MAX = 8;
/** Bytes of a query string (semantics, Limits). */
export const QUERY_STRING_BYTES_MAX = 16 * 1_024;
/**
 * Bytes of a request's line and headers: the longest query, and as much again for what browsers and
 * proxies add. A connection keeps no more than this of a head that is not complete.
 */
export const REQUEST_HEAD_BYTES_MAX = 2 * QUERY_STRING_BYTES_MAX;
/** Entries of `validation` in an error. */
export const VALIDATION_ENTRY_COUNT_MAX = 100;
/** Life of an access token. */
export const ACCESS_TOKEN_MS = HOUR_MS;
/** Lengths of credentials in characters. */
export const CLIENT_ID_LENGTH = 32;
export const CLIENT_SECRET_LENGTH = 64;
export const IDENTIFICATION_CODE_LENGTH = 32;
/** Name of the cookie that holds a person's session (M-80). */
export const SESSION_COOKIE = 'footfall_session';
/** Characters of an access link's code (M-20). */
export const LINK_CODE_LENGTH = 24;
/** Filters that an access link pins, and hosts that may frame its page (D-19). */
export const LINK_FILTER_COUNT_MAX = 20;
export const LINK_FRAME_COUNT_MAX = 20;
/** Characters of one of those hosts: a DNS name with scheme and port. */
export const LINK_FRAME_LENGTH_MAX = 280;
/** Characters of an access key that lists show, so that its owner knows which one it is (M-40). */
export const ACCESS_KEY_SHOWN_LENGTH = 12;
/** Characters after `pa_`. */
export const ACCESS_KEY_LENGTH = 45;
/** Code points of a password (M-80). */
export const PASSWORD_LENGTH_MIN = 10;
/** The same: far longer than anybody types. */
export const PASSWORD_LENGTH_MAX = 200;
/**
 * Passwords that one edge has hashed at once, of the four threads that the process has for such work:
 * the others go on compressing answers.
 */
export const PASSWORD_HASH_RUNNING_COUNT_MAX = 2;
/** Passwords that wait for it at one edge: half a second of work; beyond it is answered 503. */
export const PASSWORD_HASH_WAITING_COUNT_MAX = 64;
/** A session ends this long after its last use (M-80). */
export const SESSION_MS = 30 * DAY_MS;
/** A use extends a session by no less than this: most uses write nothing. */
export const SESSION_EXTENSION_MS = DAY_MS;
/** Sessions of one user; one more ends the longest unused: nobody has that many browsers. */
export const USER_SESSION_COUNT_MAX = 100;
/** Characters of what a session's cookie holds: 62^43 are 256 bits. */
export const SESSION_TOKEN_LENGTH = 43;
/** A link that sets a password is good for this long (M-81). */
export const ONE_TIME_LINK_MS = DAY_MS;
/** Characters of such a link's token (M-81). */
export const ONE_TIME_TOKEN_LENGTH = 32;
/** A code of an app is made for this long (RFC 6238). */
export const TOTP_STEP_MS = 30 * SECOND_MS;
/** Bytes of the secret that codes are made from: as many as SHA-1 puts out (RFC 4226). */
export const TOTP_SECRET_BYTES = 20;
/** Recovery codes that a person gets (M-80). */
export const RECOVERY_CODE_COUNT = 10;
/** Objects that an error names; more are told to be there. */
export const NAMED_OBJECT_COUNT_MAX = 20;
/** Ended sessions and links that are removed by one record of the registry. */
export const EXPIRED_REMOVED_COUNT_MAX = 1_000;
/** How often the registry is looked through for them. */
export const EXPIRED_SWEEP_MS = HOUR_MS;
/** Seconds during which a visitor counts as active unless the domain says otherwise (S-80). */
export const ACTIVE_SECONDS_DEFAULT = 600;
/** Seconds that a domain may say instead, at least: a page is read for longer (M-12). */
export const ACTIVE_SECONDS_MIN = 10;
/** The same at most: the window that `active` counts over (F-6, M-12). */
export const ACTIVE_SECONDS_MAX = START_SECONDS_MAX;
/** Domains of one user (M-6): all of them are listed in one answer. */
export const USER_DOMAIN_COUNT_MAX = 10_000;
/** Bytes of a domain's metadata as JSON (M-12). */
export const METADATA_BYTES_MAX = 16 * 1_024;
/** Address ranges of each list of a domain's filter: they travel with its record (I-24). */
export const FILTER_RANGE_COUNT_MAX = 500;

/** Bytes of a file of addresses (I-24): some ten million ranges. */
export const ADDRESS_FILE_BYTES_MAX = 256 * 1_024 * 1_024;

/** Characters of a hostname: DNS carries no longer one, so a longer host is no host (I-8). */
export const HOSTNAME_LENGTH_MAX = 253;
/** User agents whose profile an edge remembers; at 500 bytes each about 8 MB. */
export const AGENT_CACHE_ENTRY_COUNT_MAX = 10_000;
/** Parameters of a page's request that are read: each may cost some 20 µs, and hits have up to 27. */
export const PAGE_PARAMETER_COUNT_MAX = 100;
/** Other ends of connections whose address an edge has written out; with theirs some 100 kB. */
export const PEER_CACHE_ENTRY_COUNT_MAX = 1_000;
/** Raw referrers whose meaning an edge remembers. */
export const REFERRER_CACHE_ENTRY_COUNT_MAX = 10_000;
/** A longer raw referrer is worked out each time: an edge's memory stays bounded. */
export const REFERRER_CACHE_TEXT_LENGTH_MAX = 500;
/** Places of ranges that an edge remembers, of each location database. */
export const PLACE_CACHE_ENTRY_COUNT_MAX = 50_000;
/** A location database in bytes: what one read takes; the largest that are sold have some 500 MB. */
export const LOCATION_DATABASE_BYTES_MAX = 2 ** 31 - 1;
/** Domains whose visitor keys an edge remembers. */
export const VISITOR_KEY_DOMAIN_COUNT_MAX = 10_000;
/** Days of one domain whose visitor keys an edge remembers; batches may reach far back. */
export const VISITOR_KEY_DAY_COUNT_MAX = 64;
/** Bytes of the key of a day (P-22): as many as SHA-256 puts out. */
export const DAY_KEY_BYTES = 32;
/** Days that the key of a day is kept for after the day's end (P-22): 48 h. */
export const DAY_KEY_REST_DAYS = 2;
/** Days ahead of today that keys are made for: a hit may be a day ahead (I-71), and NATS may be away for a day. */
export const DAY_KEY_AHEAD_DAYS = 2;
/** A key of a day further ahead comes from a clock that was wrong by more than a week, and is destroyed. */
export const DAY_KEY_AHEAD_DAYS_MAX = 7;
/** Places for keys of days: as many as may be kept at once, and more. */
export const DAY_KEY_PLACE_COUNT = 16;
/** Characters of the id of a user, a domain or a client; 62^20 makes them unguessable. */
export const ENTITY_ID_LENGTH = 20;
/** Addresses that one request invites (M-30). */
export const INVITED_EMAIL_COUNT_MAX = 50;
/** Characters of an email address (RFC 5321 allows a path of 256 with its brackets). */
export const EMAIL_LENGTH_MAX = 254;
/** Code points of a person's name. */
export const NAME_LENGTH_MAX = 200;
/** Code points of a description (M-6). */
export const DESCRIPTION_LENGTH_MAX = 500;
/** Code points of what a saved view keeps of the dashboard's address. */
export const VIEW_ADDRESS_LENGTH_MAX = 2_000;
/** Characters of a dashboard's subdomain: one DNS label (RFC 1035). */
export const SUBDOMAIN_LENGTH_MAX = 63;
/** The same at least: shorter ones are few, and would be gone first (M-10). */
export const SUBDOMAIN_LENGTH_MIN = 3;
/**
 * How long the statistics of a deleted domain wait for their erasure: other nodes take hits until they
 * see the deletion, a second at most (M-5), and store what they have taken within some seconds.
 */
export const ERASURE_WAIT_MS_MIN = 5_000;
/** The same at most: nodes wait for times of their own, so that mostly one of them erases. */
export const ERASURE_WAIT_MS_MAX = 10_000;
/** Erasures of deleted domains that a node carries out in one go: an account may have 10,000. */
export const ERASURE_COUNT_PER_TURN = 1_000;
/** Attempts of a registry change that others keep overtaking; each loss is another's success. */
export const REGISTRY_ATTEMPT_COUNT_MAX = 200;

/**
 * From one look at the registry for what is unknown to the next, at one thread: a look costs some 5 µs,
 * so strangers take half a percent of it (M-5).
 */
export const REGISTRY_LOOK_INTERVAL_MS = 1;
/** The same for a node's looks at the stream that nodes share: each is a request to its servers. */
export const STREAM_LOOK_INTERVAL_MS = 10;
/** How long a request that is about to be refused waits for such a look: a cluster at work needs 2. */
export const REGISTRY_LOOK_MS_MAX = 500;
/** How long the page of a dashboard waits for what is given with it: then it comes without, and asks. */
export const PAGE_GIVEN_MS_MAX = 250;
/** Changes that wait for their turn at one thread; beyond it is answered 503. */
export const REGISTRY_WAITING_COUNT_MAX = 256;
/** Requests of a minute on endpoints that check passwords and the like (M-90). */
export const RATE_SECURITY_COUNT_MAX = 10;
/** Requests of a minute on the other endpoints that change something (M-90). */
export const RATE_CHANGE_COUNT_MAX = 60;
/** Times that a window keeps: as many as the largest of these limits lets in. */
export const RATE_REQUEST_COUNT_MAX = RATE_CHANGE_COUNT_MAX;
/** Windows of callers that a node keeps, some 280 bytes each; the one unused for longest goes (M-90). */
export const RATE_WINDOW_COUNT_MAX = 100_000;

/** Verified bearers remembered per generation; an edge holds two generations (some 300 B each). */
export const CREDENTIAL_CACHE_COUNT_MAX = 10_000;
/** Levels of a large JSON body: parsing deeper ones takes some 50 bytes a level (edge/json-text). */
export const JSON_DEPTH_MAX = 100;
/** A body of at most this many bytes is a small one. */
export const JSON_SMALL_BYTES_MAX = 64 * 1_024;
/** Levels of a small one: comparing or writing values of some 10,000 would exhaust the stack. */
export const JSON_DEPTH_SMALL_MAX = 1_000;
/** A larger body of hits is left to `JSON.parse`: an edge keeps memory for one of this size. */
export const HIT_READER_BYTES_MAX = 1_024 * 1_024;
/** A body of hits beyond this waits for its turn beside others: it is a millisecond of work. */
export const LARGE_REQUEST_BYTES_MIN = 64 * 1_024;
/** Time that large requests have in one turn of an edge's event loop; small ones wait that long. */
export const LARGE_REQUEST_TURN_MS = 5;
/** Items of a batch that are worked on in one go: about a millisecond. */
export const LARGE_REQUEST_SLICE_ITEM_COUNT = 256;
/** Bytes of a refused body an edge lets pass so that the client can read the refusal. */
export const DISCARDED_BODY_BYTES_MAX = 64 * 1_024 * 1_024;
/** How long it does so before an answer with which the connection ends. */
export const LAST_ANSWER_MS_MAX = 5 * SECOND_MS;

/** A body of which nothing has come for this long is late: longer than a lost packet is sent again. */
export const BODY_SILENCE_MS_MAX = 20 * SECOND_MS;
/** A body that has not come whole by then is late, however often a byte of it comes. */
export const BODY_MS_MAX = 2 * MINUTE_MS;
/** Bytes of an answer from which on it is compressed: less fits one packet either way. */
export const GZIP_ANSWER_BYTES_MIN = 1_024;
/** How long a browser may keep what a preflight was answered: no browser keeps it longer. */
export const PREFLIGHT_MS = 2 * HOUR_MS;

/** Bytes of a log file; files are recycled, so this is also the least disk a log takes. */
export const LOG_FILE_BYTES = 4 * 1_024 * 1_024;
/** Bytes of appends beyond which a commit takes no more: it holds others up for some 10 ms. */
export const LOG_COMMIT_BYTES_MAX = 4 * 1_024 * 1_024;
/** Recycled log files kept ready while they are needed; making one stalls the log for some 5 ms. */
export const LOG_SPARE_FILE_COUNT_MAX = 16;
/** Recycled log files kept ready at rest. */
export const LOG_SPARE_FILE_COUNT_IDLE = 2;
/** A spare log file that was not needed for this long is removed, if there are others. */
export const LOG_SPARE_IDLE_MS = 10_000;
/** How often a log that the disk refuses is tried again while nobody sends anything. */
export const LOG_PROBE_MS = 1_000;
/** Hits that one edge gathers while the log is busy; more are refused with 503. */
export const PENDING_HIT_COUNT_MAX = 100_000;
/** Deletions that one edge gathers meanwhile. */
export const PENDING_ERASURE_COUNT_MAX = 10_000;
/**
 * Durable records are handed to the actors after this long at the latest, and at once when a query
 * waits for them: many commits at once.
 */
export const LOG_HOLD_MS = 25;
/** Rows of a stored day beyond which it is opened slice by slice: opening takes some 20 ms. */
export const SLICED_DAY_ROW_COUNT_MIN = 50_000;
/** How long an actor opens such a day, or applies what waited for it, until others have their turn. */
export const OPENING_SLICE_MS = 20;
/** How long a list of domains, or a bill, waits for shards that move: longer than a node takes over. */
export const USAGE_SECONDS_MAX = 10;
/** Domains of one question about their use: an answer of 100 kB, where messages may have 1 MB. */
export const USAGE_QUESTION_DOMAIN_COUNT_MAX = 1_000;
/** How long an actor answers about the use of many domains until others have their turn. */
export const USAGE_SLICE_MS = 5;
/** Slice of the same kind for looks at who is active (O-40). */
export const CROWD_SLICE_MS = 2;
/** Hits that an actor may hold unsaved in quiet domains: a replay of half a second. */
export const UNSAVED_HIT_COUNT_MAX = 500_000;

/** Files that must be open at once to read the program alone: Node opens its modules side by side. */
export const OPEN_FILE_COUNT_MIN = 128;
/** Of a shard with hits: data, its synced door, LMDB's readers and the gate. */
export const OPEN_FILE_COUNT_PER_SHARD = 4;
/** Of a thread: its event loop and what it talks through; measured 6 to 7. */
export const OPEN_FILE_COUNT_PER_THREAD = 8;
