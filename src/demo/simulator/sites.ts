/**
 * The three sites of the demo: a shop, a blog and the documentation of a product.
 *
 * Control plane, tables. They differ in what people do there, where they come from, and when.
 */
import { action, page, type SiteProfile, scroll, source } from './site.ts';

const AROUND_THE_CLOCK = [
  0.35, 0.28, 0.22, 0.2, 0.2, 0.24, 0.32, 0.45, 0.58, 0.66, 0.7, 0.74, 0.76, 0.75, 0.74, 0.75, 0.78,
  0.83, 0.9, 0.97, 1, 0.94, 0.76, 0.52,
];
const OFFICE_HOURS = [
  0.12, 0.08, 0.06, 0.05, 0.06, 0.1, 0.2, 0.42, 0.75, 0.95, 1, 0.97, 0.8, 0.88, 0.98, 0.96, 0.88,
  0.68, 0.48, 0.4, 0.36, 0.32, 0.25, 0.18,
];

const SHOP: SiteProfile = {
  hostname: 'shop.example',
  timezone: 'Europe/Berlin',
  share: 5,
  pages: {
    home: page('/', 'Lamps and chairs', {
      dwellSeconds: 15,
      next: [
        [5, 'category'],
        [3, 'product'],
        [1, 'search'],
        [1, ''],
      ],
    }),
    category: page('/c/#', 'Category #', {
      variants: 12,
      dwellSeconds: 25,
      next: [
        [6, 'product'],
        [2, 'category'],
        [2, ''],
      ],
    }),
    search: page('/search', 'Search', {
      dwellSeconds: 12,
      next: [
        [7, 'product'],
        [3, ''],
      ],
      actions: [action('Search', 0.9, (random) => ({ results: random.below(40) }))],
    }),
    product: page('/p/#', 'Product #', {
      variants: 240,
      dwellSeconds: 45,
      next: [
        [3, 'product'],
        [2, 'category'],
        [2, 'cart'],
        [4, ''],
      ],
      actions: [
        scroll,
        action('Add to Cart', 0.18, (random) => ({
          price: 9 + random.below(400),
          colour: random.pick(['oak', 'black', 'white', 'green']),
        })),
      ],
    }),
    cart: page('/cart', 'Your cart', {
      dwellSeconds: 30,
      next: [
        [5, 'checkout'],
        [2, 'product'],
        [3, ''],
      ],
    }),
    checkout: page('/checkout', 'Checkout', {
      dwellSeconds: 70,
      next: [
        [7, 'thanks'],
        [3, ''],
      ],
    }),
    thanks: page('/thanks', 'Thank you', {
      dwellSeconds: 10,
      actions: [action('Purchase', 1, (random) => ({ total: 19 + random.below(900), paid: true }))],
    }),
  },
  entries: [
    [4, 'home'],
    [5, 'product'],
    [2, 'category'],
  ],
  sources: [
    [30, source('')],
    [26, source('https://www.google.com/')],
    [4, source('https://www.bing.com/')],
    [4, source('https://duckduckgo.com/')],
    [7, source('https://www.instagram.com/')],
    [5, source('https://www.pinterest.com/pin/301/')],
    [
      5,
      source('https://l.facebook.com/', 'utm_source=facebook&utm_medium=cpc&utm_campaign=spring'),
    ],
    [6, source('https://www.google.com/', 'utm_source=google&utm_medium=cpc&utm_campaign=lamps')],
    [7, source('', 'utm_source=newsletter&utm_medium=email&utm_campaign=week-#')],
  ],
  countries: [
    [48, 'de'],
    [9, 'at'],
    [8, 'ch'],
    [8, 'nl'],
    [7, 'fr'],
    [5, 'pl'],
    [4, 'gb'],
    [3, 'us'],
  ],
  bounceChance: 0.38,
  returnChance: 0.3,
  botChance: 0.04,
  dayCurve: AROUND_THE_CLOCK,
};

const BLOG: SiteProfile = {
  hostname: 'blog.example',
  timezone: 'America/New_York',
  share: 3,
  pages: {
    home: page('/', 'Notes on making things', {
      dwellSeconds: 20,
      next: [
        [7, 'post'],
        [1, 'about'],
        [2, ''],
      ],
    }),
    post: page('/posts/#', 'Post #', {
      variants: 180,
      dwellSeconds: 150,
      next: [
        [3, 'post'],
        [1, 'home'],
        [1, 'subscribe'],
        [7, ''],
      ],
      actions: [
        scroll,
        action(
          'Outbound Link Click',
          0.08,
          (random) => ({ url: `https://example.org/${random.below(50)}` }),
          true,
        ),
      ],
    }),
    about: page('/about', 'About me', { dwellSeconds: 40 }),
    subscribe: page('/subscribe', 'Subscribe', {
      dwellSeconds: 20,
      actions: [action('Sign-up', 0.4, () => ({ list: 'weekly' }))],
    }),
  },
  entries: [
    [1, 'home'],
    [8, 'post'],
  ],
  sources: [
    [22, source('')],
    [24, source('https://www.google.com/')],
    [18, source('https://news.ycombinator.com/')],
    [10, source('https://t.co/')],
    [8, source('https://old.reddit.com/r/programming/')],
    [4, source('https://bsky.app/')],
    [3, source('https://duckduckgo.com/')],
    [6, source('', 'utm_source=newsletter&utm_medium=email&utm_campaign=issue-#')],
  ],
  countries: [
    [40, 'us'],
    [11, 'in'],
    [9, 'gb'],
    [8, 'de'],
    [6, 'ca'],
    [5, 'br'],
    [4, 'fr'],
    [4, 'au'],
    [4, 'jp'],
    [2, 'za'],
  ],
  bounceChance: 0.68,
  returnChance: 0.15,
  botChance: 0.08,
  dayCurve: AROUND_THE_CLOCK,
};

const DOCS: SiteProfile = {
  hostname: 'docs.example',
  timezone: 'UTC',
  share: 2,
  pages: {
    start: page('/', 'Documentation', {
      dwellSeconds: 15,
      next: [
        [6, 'guide'],
        [4, 'reference'],
        [1, ''],
      ],
    }),
    guide: page('/guides/#', 'Guide #', {
      variants: 40,
      dwellSeconds: 120,
      next: [
        [4, 'guide'],
        [4, 'reference'],
        [2, 'pricing'],
        [3, ''],
      ],
      actions: [scroll, action('Copy Code', 0.3, (random) => ({ block: random.below(8) }))],
    }),
    reference: page('/reference/#', 'Reference #', {
      variants: 320,
      dwellSeconds: 60,
      next: [
        [6, 'reference'],
        [2, 'guide'],
        [4, ''],
      ],
      actions: [action('Copy Code', 0.25, (random) => ({ block: random.below(8) }))],
    }),
    pricing: page('/pricing', 'Pricing', {
      dwellSeconds: 35,
      next: [
        [3, 'trial'],
        [7, ''],
      ],
    }),
    trial: page('/trial', 'Start a trial', {
      dwellSeconds: 45,
      actions: [action('Trial', 0.6, (random) => ({ plan: random.pick(['team', 'business']) }))],
    }),
  },
  entries: [
    [3, 'start'],
    [4, 'guide'],
    [6, 'reference'],
  ],
  sources: [
    [42, source('')],
    [34, source('https://www.google.com/')],
    [8, source('https://github.com/')],
    [4, source('https://duckduckgo.com/')],
    [3, source('https://www.linkedin.com/')],
    [3, source('', 'utm_source=app&utm_medium=product&utm_content=help-menu')],
  ],
  countries: [
    [22, 'us'],
    [18, 'in'],
    [12, 'de'],
    [8, 'gb'],
    [8, 'br'],
    [7, 'jp'],
    [6, 'fr'],
    [6, 'pl'],
    [5, 'es'],
    [3, 'nl'],
  ],
  bounceChance: 0.3,
  returnChance: 0.5,
  botChance: 0.05,
  dayCurve: OFFICE_HOURS,
};

/** The sites of the demo, the busiest first. */
export const SITES: readonly SiteProfile[] = [SHOP, BLOG, DOCS];
