/**
 * What the endpoints need from outside: one object, built by the thread that runs an edge, faked by
 * tests.
 *
 * Everything is asked synchronously except statistics and changes of the registry: a hit costs no
 * promise.
 */
import type { Language } from '../base/languages.ts';
import type { AuditEntry } from '../control/audit.ts';
import type { Draft } from '../control/descriptor/draft.ts';
import type {
  Action,
  Base,
  Look,
  Place,
  Resource,
  Viewing,
} from '../control/descriptor/resource.ts';
import type { FileContent } from '../control/files.ts';
import type { MailEnd } from '../control/people/mail-ends.ts';
import type { Decision, RecordRequest } from '../control/records.ts';
import type { Stamp } from '../control/registry/registry.ts';
import type { Domain } from '../control/resources/domain.ts';
import type { StoredFile } from '../control/resources/file.ts';
import type { Organization } from '../control/resources/organization.ts';
import type { PlaceCredit } from '../ingest/data/place-makers.ts';
import type { Site } from '../ingest/page/site.ts';
import type { HitInput } from '../ingest/step.ts';
import type { Credential, PinnedFilter } from '../model/credential.ts';
import type { Erasure } from '../model/erasure.ts';
import type { Hit, HitGroup } from '../model/hit.ts';
import type { DomainId } from '../model/ids.ts';
import type { LedgerDay, LedgerQuestion } from '../model/ledger.ts';
import type { LiveNews } from '../model/live.ts';
import type { Attempt, AttemptOutcome } from '../model/outbox.ts';
import type { Role } from '../model/rights.ts';
import type { DaySpan, DomainUsage } from '../model/usage.ts';
import type { BatchEntry } from '../query/question/batch.ts';
import type { StatisticsQuery } from '../query/question/request.ts';
import type { HistoryPage } from '../store/registry-history.ts';

/** Who asks, and what they may see (`control/access.ts` has this shape). */
export interface AccessPort {
  /**
   * Who a bearer is; null when it is unknown or expired. Called per request, so it has to be one
   * Map hit for a bearer seen before.
   */
  authenticate(bearer: string, nowMs: number): Credential | null;
  /** The person whose cookie holds this; null when there is no such session, or it has ended. */
  person(token: string, nowMs: number): Credential | null;
  /** Whoever has the code of an access link; null when no link has it, or it has ended. */
  visitor(code: string, nowMs: number): Credential | null;
  /** Hosts whose pages may frame a dashboard for whoever has a code of it (D-19). */
  framesOf(site: Domain, code: string, nowMs: number): readonly string[];
  /** What answers to a caller are made with. */
  viewing(credential: Credential): Viewing;
  /** Exchanges a client's credentials for a token; null when they match no client. */
  issueToken(
    oauthId: string,
    secret: string,
    nowMs: number,
  ): { accessToken: string; expiresMs: number } | null;
  /** A token for the page of a dashboard (M-82); null when it is not public and the code is wrong. */
  issueVisit(
    site: Domain,
    code: string | undefined,
    nowMs: number,
  ): { accessToken: string; expiresMs: number; pinned: PinnedFilter | null } | null;
  /** The domain whose dashboard has an address of its own; null when there is none. */
  dashboardAt(field: 'subdomain' | 'customDomain', name: string): Domain | null;
  /** The domain whose pages send this identification code; called per hit of a browser. */
  domainOfCode(code: string): Domain | null;
  /** A domain by id, whoever may see it. */
  domain(id: string): Domain | null;
  /** The domains a credential may see, oldest first. */
  domainsOf(credential: Credential): readonly Domain[];
  /** The organizations that a caller is in, oldest first. */
  organizationsOf(credential: Credential): readonly Organization[];
  /** Users with access to a domain, its owner included. */
  memberCount(domain: Domain): number;
  /** The role of a caller on a domain or another place; null: it may not even see it (M-2). */
  roleOn(credential: Credential, place: Place): Role | null;
  /** A domain as ingestion sees it; called per hit. */
  siteOf(domain: Domain): Site;
  /** The domain of a hit by its hostname, normalised by I-4; null when there is none (I-9). */
  domainForHostname(credential: Credential, hostname: string): Domain | null;
}

/** How far this thread has read the registry (`control/registry/registry.ts` has this shape). */
export interface RegistryPort {
  /** Applies what threads of this node have changed before now; nearly free when that is nothing. */
  keepUp(): void;
  /** Applies what anybody has changed before now. @returns whether that was anything. */
  lookAgain(): Promise<boolean>;
}

/** The records of every resource (`control/records.ts` has this shape). */
export interface RecordsPort {
  /** What stands in the registry now. */
  look(): Look;
  /** Records that refer to another one by a field, oldest first. */
  list<Rec extends Base>(
    resource: Resource<Rec>,
    field: keyof Rec & string,
    id: string,
  ): readonly Rec[];
  /** What was changed of what belongs to a place, the newest first (M-8). */
  audit(place: Place, page: HistoryPage, viewing: Viewing): readonly AuditEntry[];
  /** A record by id, whoever may see it. */
  find<Rec extends Base>(resource: Resource<Rec>, id: string): Rec | null;
  /** Makes a record; VALIDATION_FAILED when a rule forbids it. */
  create<Rec extends Base>(resource: Resource<Rec>, request: RecordRequest): Promise<Draft<Rec>>;
  /** Changes what the request carries; RECORD_NOT_FOUND, VALIDATION_FAILED. */
  change<Rec extends Base>(
    resource: Resource<Rec>,
    id: string,
    request: RecordRequest,
  ): Promise<Rec>;
  /** With what belongs to it; RECORD_NOT_FOUND. */
  remove(resource: Resource, id: string, request: RecordRequest): Promise<void>;
  /** Carries out what is no change of fields; RECORD_NOT_FOUND, VALIDATION_FAILED. */
  act<Rec extends Base>(
    resource: Resource<Rec>,
    action: Action<Rec>,
    id: string,
    request: RecordRequest,
  ): Promise<Rec>;
  /** Several records at once, or none of them; what `decide` throws. */
  decide<Result>(
    stamp: Stamp,
    decide: (view: Look, atMs: number) => Decision<Result>,
  ): Promise<Result>;
}

/** The files that themes show (`control/files.ts` has this shape). */
export interface FilesPort {
  /** A whole file by its hash; null when there is none. */
  find(hash: string): StoredFile | null;
  /** One byte or more of a file, from an offset on; null when they are gone. */
  bytesAt(hash: string, offset: number): Uint8Array | null;
  /** Brings a file into the registry, so that a record can name it. */
  keep(content: FileContent, stamp: Stamp): Promise<void>;
}

/** Where hits go (`bus/log/hit-writer.ts` has this shape). */
export interface HitsPort {
  /**
   * Stores groups of hits.
   *
   * @param done called exactly once: null when all of them are durable, an error when none counts.
   */
  submit(groups: readonly HitGroup[], done: (error: Error | null) => void): void;
  /**
   * Deletes what an erasure names of everything acknowledged so far, later and for sure.
   *
   * @param done called exactly once: null when it is durable.
   */
  submitErasure(erasure: Erasure, done: (error: Error | null) => void): void;
}

/** The steps that make a hit of a request's item (`ingest/pipeline.ts` has this shape). */
export interface PipelinePort {
  /** The hit, or the index of the reason for which it is dropped. */
  run(input: HitInput): Hit | number;
  /** Name of the program that a user agent belongs to; '' when it is not known. */
  botOf(userAgent: string): string;
  /** What a program of that name is for: `ai`, `search` … */
  kindOfBot(name: string): string;
}

/** Who waits for a statistic. */
export interface QueryCaller {
  /** `listener` is called once when the client leaves before its answer. */
  onLeft(listener: () => void): void;
}

/** Where statistics are computed. */
export interface StatisticsPort {
  /** Runs a query over everything acknowledged before this call; the answer as JSON bytes. */
  run(query: StatisticsQuery, caller: QueryCaller): Promise<Uint8Array>;
  /**
   * Runs several queries about a domain over one state of it, no older than this call (D-14).
   *
   * @returns `{position, results}` as JSON bytes, the results in order, each as `run` has it.
   */
  batch(
    domainId: DomainId,
    entries: readonly BatchEntry[],
    caller: QueryCaller,
  ): Promise<Uint8Array>;
  /**
   * What domains used (S-99), and when their first rows are (M-17), as of everything acknowledged before
   * this call; by domain.
   *
   * @param span UTC days; null: the first rows only.
   */
  usage(
    domainIds: readonly DomainId[],
    span: DaySpan | null,
    caller: QueryCaller,
  ): Promise<ReadonlyMap<DomainId, DomainUsage>>;
  /** What became of the items of a domain (P-31), of everything acknowledged before this call. */
  ledger(
    domainId: DomainId,
    asked: Pick<LedgerQuestion, 'span' | 'hasBots'>,
    caller: QueryCaller,
  ): Promise<readonly LedgerDay[]>;
}

/** What webhooks are told (O-13). */
export interface DeliveriesPort {
  /** The last attempts of a webhook, the newest first. */
  attempts(of: WebhookPlace, caller: QueryCaller): Promise<readonly Attempt[]>;
  /** Sends the entry of an attempt again. @returns false when there is no such attempt. */
  resend(of: WebhookPlace, attempt: number, caller: QueryCaller): Promise<boolean>;
  /** Sends a sample at once. */
  test(webhookId: string): Promise<AttemptOutcome>;
}

/** A webhook and where it belongs. */
export interface WebhookPlace {
  readonly domainId: DomainId;
  readonly webhookId: string;
}

/** What is stored, as it is stored (`runtime/live/live-feed.ts` has this shape). */
export interface LivePort {
  /** Tells of a domain from now on; a little may be missed while its shard moves. @returns ends it. */
  watch(domainId: DomainId, listener: (news: LiveNews) => void): () => void;
}

/** How the node stands among others (`runtime/telemetry/cluster-status.ts` has this shape). */
export interface ClusterPort {
  /** Why requests should go to other nodes, although this one takes them; null when they need not. */
  unreadyReason(): string | null;
  /** What is missing that does not keep the node from being ready; one short sentence each. */
  missing(): readonly string[];
}

/** Hashes of passwords (`control/people/passwords.ts` has this shape). */
export interface PasswordsPort {
  /** What is kept of a password; OVERLOADED. */
  hash(password: string): Promise<string>;
  /** Whether it is the password of a hash; null is none, which takes as long; OVERLOADED. */
  matches(kept: string | null, password: string): Promise<boolean>;
}

/** Sessions in use (`control/people/sessions.ts` has this shape). */
export interface SessionsPort {
  /** Notes a use; whether the session is extended by it, and with it the cookie. */
  used(sessionId: string, nowMs: number): boolean;
}

/** What links in mails end (`control/people/mail-ends.ts`). */
export interface MailEndsPort {
  /** null: it is no token of this installation. */
  read(token: string): MailEnd | null;
}

/** A file on its way to the disk (`imports/uploads.ts` has this shape). */
export interface UploadPort {
  /** Takes a piece, which stays as it is. @returns whether there is room for more now. */
  write(piece: Buffer): boolean;
  /** Resolves once there is; UPLOAD_FAILED. */
  room(): Promise<void>;
  /** All of it is there, and stays; UPLOAD_FAILED. */
  endFile(): Promise<void>;
  /** Nothing of it is kept. */
  abort(): Promise<void>;
}

/** Where files that are brought are kept. */
export interface UploadsPort {
  begin(of: {
    readonly id: string;
    readonly domainId: string;
    readonly name: string;
    /** As announced. */
    readonly bytes: number;
  }): UploadPort;
}

/** A file that is fetched piece by piece (`exports/downloads.ts` has this shape). */
export interface DownloadPort {
  /** One byte or more from an offset on; null when they are gone. */
  bytesAt(offset: number): Promise<Uint8Array | null>;
  close(): void;
}

/** Where files of exports are fetched. */
export interface DownloadsPort {
  /** Takes nothing that has to be closed until bytes are asked for; OVERLOADED, EXPORT_AWAY. */
  open(file: {
    /** Of the export. */
    readonly id: string;
    readonly domainId: string;
    /** Whose disk it was written to. */
    readonly place: string;
    readonly name: string;
    readonly bytes: number;
  }): Promise<DownloadPort>;
}

/** Everything the endpoints need. */
export interface Ports {
  /** The clock: milliseconds since the epoch. */
  readonly nowMs: () => number;
  readonly registry: RegistryPort;
  readonly access: AccessPort;
  readonly records: RecordsPort;
  readonly files: FilesPort;
  readonly hits: HitsPort;
  readonly pipeline: PipelinePort;
  readonly statistics: StatisticsPort;
  readonly deliveries: DeliveriesPort;
  readonly live: LivePort;
  readonly passwords: PasswordsPort;
  readonly sessions: SessionsPort;
  readonly mailEnds: MailEndsPort;
  readonly uploads: UploadsPort;
  readonly downloads: DownloadsPort;
  /** Of mails to people of whom nobody has said theirs. */
  readonly mailLanguage: Language;
  /** The address of the service, without a trailing slash: what links in mails begin with. */
  readonly publicUrl: string;
  /** Names that browsers ask for; null: not set. */
  readonly hosts: {
    /** Of the public address; without one every host shows the service. */
    readonly own: string | null;
    /** Below it each dashboard has a host of its own. */
    readonly dashboards: string | null;
  };
  /** Null when hits are accepted and statistics answered, else the reason why not. */
  readonly unreadyReason: () => string | null;
  readonly cluster: ClusterPort;
  /** Whose data the places are made of that are stored now: what their licences ask to be said. */
  readonly placeCredits: () => readonly PlaceCredit[];
  /** Reports a fault of ours that a request ran into. */
  readonly logError: (error: unknown, request: string) => void;
}
