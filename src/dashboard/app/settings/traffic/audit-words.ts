/**
 * The audit in the words of the page (M-8): who changed, what it was, which field of it, to what.
 *
 * What the service has and this page has no word for yet is told by its name.
 */
import { FILTER_WORDS } from '../../view/filters.ts';
import { type SayKey, say } from '../../words/settings.ts';
import { rightWord } from '../lists/scopes.ts';

/** Fields as the interface names them, by the words that forms have for them. */
const FIELDS: Readonly<Record<string, SayKey>> = {
  ...{ hostname: 'hostname', subdomain: 'subdomain', custom_domain: 'customHostname' },
  ...{ timezone: 'timezone', public: 'publicDashboard', group_by_title: 'groupByTitle' },
  ...{ active_visitors_seconds: 'activeSeconds', disable_scripts: 'disableScripts' },
  ...{ retention_days: 'retentionDays', retained_from: 'retainedFrom' },
  ...{ metadata: 'metadata', theme_id: 'theme', theme_settings: 'theme', new_owner: 'newOwner' },
  ...{ ip_block: 'ipBlock', ip_allow: 'ipAllow', user_id: 'owner', domain_id: 'domainId' },
  ...{ traffic_spike: 'spike', traffic_spike_threshold: 'spikeFrom', endpoint: 'endpoint' },
  ...{ traffic_warning: 'warning', traffic_warning_threshold: 'warningFrom', event: 'event' },
  ...{ identification_code: 'tagCode', organization_id: 'organizations', steps: 'steps' },
  ...{ name: 'name', description: 'description', email: 'email', role: 'role', type: 'kind' },
  ...{ code: 'linkCode', expires: 'expires', filter: 'pinnedFilters', frame: 'frames' },
  ...{ client_secret: 'secretField', secret: 'secretField', client_id: 'clients' },
  ...{ path_pattern: 'pattern', pattern: 'pattern', event_name: 'event', text: 'noteText' },
  ...{ event_meta_key: 'eventKey', event_meta_value: 'eventValue', time: 'start' },
  ...{ custom_metric_key: 'metricKey', custom_metric_type: 'metricType' },
  ...{ visitor_goal: 'targetVisitors', cr_goal: 'targetRate' },
  ...{ custom_metric_total_goal: 'targetTotal', custom_metric_avg_goal: 'targetAverage' },
  ...{ delete_reached: 'deleteReached', email_reached: 'emailReached' },
  ...{
    interval: 'weeks',
    link_to: 'linkTo',
    next_report: 'nextReport',
    from: 'from',
    to: 'to',
    address: 'address',
  },
  ...{ from_time: 'fromTime', to_time: 'toTime', compare: 'compare', period: 'range' },
  ...{ compare_from: 'compareFrom', compare_to: 'compareTo', compare_weekday: 'compareWeekday' },
  ...{ tag_key: 'tag', tag_value: 'tagValue', path: 'page', active: 'isActive' },
  ...{ settings: 'theme', is_default: 'isDefault' },
  ...{ include: 'include', exclude: 'exclude', domains: 'otherSites', dev: 'tagDev' },
  ...{ sample: 'sampleField', accent: 'accent', accent_dark: 'accent_dark', font: 'font' },
  ...{ background: 'background', background_dark: 'background_dark', favicon: 'favicon' },
  ...{ logo_light: 'logo_light', logo_dark: 'logo_dark' },
  ...{ scope_hit: 'scope_hit', scope_event: 'scope_event', scope_session: 'scope_session' },
  ...{ scope_statistics: 'scope_statistics', scope_domains: 'scope_domains' },
  ...{ scope_organizations: 'scope_organizations', scope_themes: 'scope_themes' },
  ...{ scope_billing: 'scope_billing', file: 'tableContent', row_count: 'rowCount' },
  ...{ what: 'exportWhat', format: 'exportFormat', state: 'jobState', rows: 'rowCount' },
  ...{ error: 'jobError', ended_ms: 'jobEnded', expires_ms: 'expires' },
};

const ROLES: Readonly<Record<string, SayKey>> = {
  ...{ Owner: 'roleOwner', Admin: 'roleAdmin', Viewer: 'roleViewer' },
};
const LANGUAGES: Readonly<Record<string, SayKey>> = { en: 'languageEn', de: 'languageDe' };

/** Of fields whose values are words of the interface. */
const WORDS: Readonly<Record<string, Readonly<Record<string, SayKey>>>> = {
  ...{ role: ROLES, language: LANGUAGES },
};

const KINDS = [
  ...['alternative', 'annotation', 'client', 'domain', 'erasure', 'file', 'former_domain'],
  ...[
    'funnel',
    'goal',
    'invitation',
    'keywords',
    'link',
    'member',
    'organization',
    'preference',
    'report',
  ],
  ...['snippet', 'theme', 'user', 'view', 'webhook'],
] as const;

/** What somebody or something is called, and where that has no name, what it is. */
export function callerText({ kind, name }: { kind: string; name: string }): string {
  // The commands of the machine, and the service itself, bring a name in English.
  if (kind === 'cli') return say('callerCli');
  if (name !== '') return name;
  return kind === 'client' ? kindText(kind) : say('callerGone');
}

/** What an object is. */
export function kindText(kind: string): string {
  const name = kind.replace('-', '_');
  return (KINDS as readonly string[]).includes(name) ? say(`kind_${name}` as SayKey) : kind;
}

/** What a field is called; views have fields that are called as filters are. */
export function fieldText(field: string): string {
  const key = keyIn(FIELDS, field) ?? keyIn(FILTER_WORDS, field);
  return key === undefined ? field : say(key);
}

/** A value of a field, as people read it. */
export function valueText(field: string, value: unknown): string {
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return say(value ? 'isOn' : 'isOff');
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field.startsWith('scope_')) return say(rightWord(field.slice('scope_'.length), value));
  const words = Object.hasOwn(WORDS, field) ? (WORDS[field] ?? {}) : {};
  const key = keyIn(words, value);
  return key === undefined ? value : say(key);
}

/** People give things names such as `constructor`. */
function keyIn(words: Readonly<Record<string, SayKey>>, name: string): SayKey | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined;
}
