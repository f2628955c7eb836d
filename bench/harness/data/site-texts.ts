/**
 * The texts of the benchmark's site, as many of each as a large site sees: pages and titles,
 * places, browsers, referrers, campaigns, events, tags.
 *
 * Control plane. Tables made once; hits share their strings, as neighbours in a record do.
 */
import { ISO_639_1_CODES } from '../../../src/ingest/data/languages.ts';
import { Platform } from '../../../src/model/dimensions.ts';

/** Distinct paths; the first ones are the popular ones. */
export const PATH_COUNT = 5_000;
/** Titles of one path: translations, tests, counters in the title. */
export const TITLES_PER_PATH = 4;
const SECTIONS = ['blog', 'docs', 'shop', 'help', 'news', 'forum', 'events', 'people'];
const REFERRER_NAME_COUNT = 60;
const REFERRER_COUNT = 300;
const BROWSER_VERSION_COUNT = 30;
const CITY_COUNT = 400;
const CAMPAIGN_COUNT = 200;

/** A page with its titles. */
export interface Page {
  path: string;
  titles: readonly string[];
}

/** Where visitors live. */
export interface Place {
  country: string;
  region: string;
  city: string;
}

/** What they browse with. */
export interface Agent {
  platform: number;
  os: string;
  osVersion: string;
  browser: string;
  /** The newest first. */
  browserVersions: readonly string[];
}

/** What brought them. */
export interface Acquisition {
  referrer: string;
  referrerName: string;
  channel: string;
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
  utmContent: string;
  utmTerm: string;
}

const COUNTRIES =
  'us de gb fr in br jp ca it es nl au pl mx id tr se ch ru kr at be ar dk no fi pt cz ie nz gr ro ' +
  'hu il za ua sg th vn my ph cl co pe eg ng ke ma pk bd lk ae sa qa kw om jo lb iq ir kz uz ge am ' +
  'az by lt lv ee sk si hr rs ba mk al bg md me is lu mt cy mc li ad sm tn dz ly sd et tz ug gh ci ' +
  'sn cm ao mz zm zw bw na mg mu re tw hk mo cn mn np bt mm la kh bn fj pg nc pf ec bo py uy ve cr ' +
  'pa gt hn ni sv do cu jm ht tt bb gy sr bs bz af ye sy rw bi so';

function texts(count: number, text: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => text(index));
}

/** 5,000 pages in eight sections, in order of popularity; 20,000 pairs of path and title. */
export function makePages(count: number): Page[] {
  return Array.from({ length: count }, (_, rank) => {
    const section = SECTIONS[rank % SECTIONS.length] as string;
    const path = rank === 0 ? '/' : `/${section}/article-${rank}-of-the-site`;
    const titles = texts(
      TITLES_PER_PATH,
      (variant) =>
        `${section}: article ${rank}${variant === 0 ? '' : ` (part ${variant})`} – Example`,
    );
    return { path, titles };
  });
}

/** 150 countries, the first 40 with cities of their own. */
export function makePlaces(): Place[] {
  const countries = COUNTRIES.split(' ').slice(0, 150);
  return Array.from({ length: countries.length + CITY_COUNT }, (_, index) => {
    if (index >= CITY_COUNT) {
      return { country: countries[index - CITY_COUNT] as string, region: '', city: '' };
    }
    const country = countries[Math.floor(index / 10)] as string;
    const region = `Region ${country.toUpperCase()}-${(index % 10) >> 1}`;
    return { country, region, city: `City ${country.toUpperCase()} ${index % 10}` };
  });
}

/** 40 languages. */
export const LANGUAGES: readonly string[] = [
  ...'en de fr es pt ja it nl pl ru'.split(' '),
  ...ISO_639_1_CODES.filter((code) => !'en de fr es pt ja it nl pl ru'.includes(code)).slice(0, 30),
];

export const SCREENS = ['XXL', 'S', 'XL', 'L', 'M', ''] as const;

function versions(newest: number, decimals: string): string[] {
  return texts(BROWSER_VERSION_COUNT, (age) => `${newest - age}${decimals}`);
}

/** Ten browsers of thirty versions on the systems that they run on, the usual ones first. */
export const AGENTS: readonly Agent[] = (
  [
    ['Chrome', 'Windows', '11', Platform.Desktop],
    ['Safari', 'iOS', '18.1', Platform.Mobile],
    ['Chrome', 'Android', '14', Platform.Mobile],
    ['Chrome', 'Mac', '10.15', Platform.Desktop],
    ['Edge', 'Windows', '10', Platform.Desktop],
    ['Safari', 'Mac', '10.15', Platform.Desktop],
    ['Firefox', 'Windows', '10', Platform.Desktop],
    ['Samsung Internet', 'Android', '13', Platform.Mobile],
    ['Firefox', 'Linux', '', Platform.Desktop],
    ['Chrome', 'iOS', '17.6', Platform.Mobile],
    ['Opera', 'Windows', '11', Platform.Desktop],
    ['Brave', 'Mac', '14.5', Platform.Desktop],
    ['DuckDuckGo', 'Android', '12', Platform.Mobile],
    ['Chrome', 'Chrome OS', '', Platform.Unknown],
    ['Vivaldi', 'Linux', '', Platform.Desktop],
    ['IE', 'Windows', '7', Platform.Desktop],
  ] as const
).map(([browser, os, osVersion, platform]) => ({
  platform,
  os,
  osVersion,
  browser,
  browserVersions: versions(browser === 'Safari' ? 40 : 140, browser === 'Safari' ? '.1' : '.0'),
}));

const DIRECT: Acquisition = {
  referrer: '',
  referrerName: '',
  channel: 'Direct',
  utmSource: '',
  utmMedium: '',
  utmCampaign: '',
  utmContent: '',
  utmTerm: '',
};

/** 300 referrers of 60 names, the frequent ones first; a name has up to five addresses. */
export function makeReferrers(): Acquisition[] {
  return Array.from({ length: REFERRER_COUNT }, (_, index) => {
    const name = index % REFERRER_NAME_COUNT;
    const page = Math.floor(index / REFERRER_NAME_COUNT);
    const isSearch = name < 6;
    return {
      ...DIRECT,
      referrer: `https://site-${name}.example${page === 0 ? '' : `/page-${page}`}`,
      referrerName: isSearch ? `Search ${name}` : `site-${name}.example`,
      channel: isSearch ? 'Organic Search' : name < 15 ? 'Organic Social' : 'Referral',
    };
  });
}

/** 200 campaigns: 40 sources, 6 mediums, 20 contents, 50 terms among them. */
export function makeCampaigns(): Acquisition[] {
  const mediums = ['email', 'cpc', 'social', 'banner', 'affiliate', 'push'];
  const channels = ['Email', 'Paid Search', 'Organic Social', 'Display', 'Affiliates', 'SMS'];
  return Array.from({ length: CAMPAIGN_COUNT }, (_, index) => ({
    referrer: '',
    referrerName: `source-${index % 40}`,
    channel: channels[index % channels.length] as string,
    utmSource: `source-${index % 40}`,
    utmMedium: mediums[index % mediums.length] as string,
    utmCampaign: `campaign-${index}`,
    utmContent: index % 3 === 0 ? `content-${index % 20}` : '',
    utmTerm: index % 4 === 0 ? `term-${index % 50}` : '',
  }));
}

export const NO_ACQUISITION: Readonly<Acquisition> = DIRECT;
