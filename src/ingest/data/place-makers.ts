/**
 * Who makes location databases, and what their licences ask to be said where places are shown.
 *
 * The files themselves rarely say it: those of ip-location-db call themselves `city ipv4`. So a maker
 * is known by a word in the name of the file or in the type that its metadata gives.
 *
 * Source: the licences of the makers, as of 2026-11.
 */

/** What is to be said, and where it leads. */
export interface PlaceCredit {
  /** Text of the link. */
  readonly text: string;
  readonly url: string;
  readonly licence: string;
}

/** Word in a file's name or type, lower case → what is to be said; the first that is met counts. */
export const PLACE_MAKERS: readonly (readonly [word: string, credit: PlaceCredit])[] = [
  ['dbip', { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com', licence: 'CC BY 4.0' }],
  [
    'geolite2',
    {
      text: 'This product includes GeoLite2 data created by MaxMind',
      url: 'https://www.maxmind.com',
      licence: 'GeoLite2 End User License Agreement',
    },
  ],
  [
    'geoip2',
    {
      text: 'This product includes GeoIP2 data created by MaxMind',
      url: 'https://www.maxmind.com',
      licence: 'as bought from MaxMind',
    },
  ],
  [
    'ipinfo',
    {
      text: 'IP address data powered by IPinfo',
      url: 'https://ipinfo.io',
      licence: 'CC BY-SA 4.0',
    },
  ],
  [
    'ip2location',
    {
      text: 'This site or product includes IP2Location LITE data',
      url: 'https://lite.ip2location.com',
      licence: 'CC BY-SA 4.0',
    },
  ],
  [
    'geo-whois-asn-country',
    {
      text: 'Countries of IP addresses by the NRO, compiled by ip-location-db',
      url: 'https://www.nro.net',
      licence: 'CC BY 4.0',
    },
  ],
];
