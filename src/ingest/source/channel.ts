/**
 * The channel of a hit (I-98): the first row of the table that holds.
 *
 * Data plane. A hit has the channel it would open a session with; the session keeps that of its
 * first hit. Most hits follow a click within the site and have nothing to go by: they are Direct
 * after six comparisons. Those with a referrer and no campaign are told by the referrer's name, which is
 * remembered; only hits with a campaign are worked out.
 */

import { BoundedCache } from '../../base/bounded-cache.ts';
import type { Hit } from '../../model/hit.ts';
import { REFERRER_CACHE_ENTRY_COUNT_MAX } from '../../model/limits.ts';
import type { SourceCategory } from '../data/referrers.ts';
import { sourceCategory } from './source.ts';

const DISPLAY_MEDIA = ['display', 'banner', 'expandable', 'interstitial', 'cpm'];
const SOCIAL_MEDIA = ['social', 'social-network', 'social-media', 'sm'];
const REFERRAL_MEDIA = ['referral', 'app', 'link'];
const EMAIL = ['email', 'e-mail', 'e_mail'];

/** What the rows of the table look at; texts are lower-cased. */
interface Origin {
  category: SourceCategory | '';
  source: string;
  medium: string;
  campaign: string;
  hasReferrer: boolean;
}

/** Finds the channels of hits. */
export class Channels {
  /** Referrer name → channel of a hit without any campaign. Names are cut to 200 (semantics, Limits). */
  readonly #byName = new BoundedCache<string, string>(REFERRER_CACHE_ENTRY_COUNT_MAX);

  /**
   * Sets the channel of a hit.
   *
   * @param hit has its campaign, referrer and click id already.
   */
  apply(hit: Hit): void {
    const { referrerName, utmSource, utmMedium, utmCampaign } = hit;
    if (utmSource !== '' || utmMedium !== '' || utmCampaign !== '') {
      hit.channel = channelOfCampaign(hit);
    } else if (referrerName !== '') {
      hit.channel = this.#channelOfName(referrerName);
    } else {
      hit.channel = hit.referrer === '' ? 'Direct' : 'Referral';
    }
  }

  #channelOfName(name: string): string {
    let channel = this.#byName.get(name);
    if (channel === undefined) {
      const category = sourceCategory(name);
      channel = channelOf({ category, source: '', medium: '', campaign: '', hasReferrer: true });
      this.#byName.set(name, channel);
    }
    return channel;
  }
}

function channelOfCampaign(hit: Hit): string {
  const { referrerName, utmSource } = hit;
  let category = sourceCategory(referrerName);
  if (category === '' && utmSource !== '') category = sourceCategory(utmSource);
  return channelOf({
    category,
    source: utmSource.toLowerCase(),
    medium: hit.utmMedium.toLowerCase(),
    campaign: hit.utmCampaign.toLowerCase(),
    hasReferrer: referrerName !== '' || hit.referrer !== '',
  });
}

/** The table of I-98, in its order. */
function channelOf(origin: Origin): string {
  const { category, medium, campaign } = origin;
  if (campaign.includes('cross-network')) return 'Cross-network';
  const isShopping = category === 'shopping' || campaign.includes('shop');
  const isPaid = isPaidMedium(medium);
  if (isPaid && isShopping) return 'Paid Shopping';
  if (medium === '(gclid)' || medium === '(msclkid)') return 'Paid Search';
  if (isPaid && category === 'search') return 'Paid Search';
  if (isPaid && category === 'social') return 'Paid Social';
  if (isPaid && category === 'video') return 'Paid Video';
  if (DISPLAY_MEDIA.includes(medium)) return 'Display';
  if (isPaid) return 'Paid Other';
  if (isShopping) return 'Organic Shopping';
  if (category === 'social' || SOCIAL_MEDIA.includes(medium)) return 'Organic Social';
  if (category === 'video' || medium.includes('video')) return 'Organic Video';
  if (category === 'search' || medium === 'organic') return 'Organic Search';
  return channelWithoutCategory(origin);
}

/** The rows of the table behind the organic ones. */
function channelWithoutCategory(origin: Origin): string {
  const { category, source, medium, hasReferrer } = origin;
  if (REFERRAL_MEDIA.includes(medium)) return 'Referral';
  if (EMAIL.includes(source) || EMAIL.includes(medium)) return 'Email';
  if (medium === 'affiliate') return 'Affiliates';
  if (medium === 'audio') return 'Audio';
  if (source === 'sms' || medium === 'sms') return 'SMS';
  if (isPushMedium(medium)) return 'Mobile Push Notifications';
  if (category === 'ai') return 'AI';
  return hasReferrer ? 'Referral' : 'Direct';
}

function isPaidMedium(medium: string): boolean {
  return (
    medium.includes('cp') ||
    medium === 'ppc' ||
    medium === 'retargeting' ||
    medium.startsWith('paid')
  );
}

function isPushMedium(medium: string): boolean {
  return medium.endsWith('push') || medium.includes('mobile') || medium.includes('notification');
}
