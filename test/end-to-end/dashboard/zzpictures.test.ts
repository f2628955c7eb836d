import { test } from 'vitest';
import { DashboardSite } from './support.ts';
const PARTS = ['general','theme','snippet','alternatives','addresses','arrivals','members','links','clients','goals','funnels','views','reports','notifications','webhooks','audit','erasure','transfer','deletion'];
test('pictures', { timeout: 200000 }, async () => {
  const site = await DashboardSite.open();
  const out: string[] = [];
  for (const [scheme, width] of [['light', 1440], ['dark', 320]] as const) {
    await site.begin({ colorScheme: scheme, viewport: { width, height: 900 } });
    await site.signIn('/shop');
    if (scheme === 'light') {
      const post = async (p: string, data: unknown) => {
        const r = await site.context.request.post(`${site.service.baseUrl}/api/v1/${p}`, { data, headers: { Origin: site.service.baseUrl } });
        if (r.status() !== 200) out.push(`${p} ${r.status()} ${await r.text()}`);
      };
      const d = { domain_id: site.shop.id };
      await post('goal', { ...d, name: 'Prices', path_pattern: '/prices', visitors: 10 });
      await post('funnel', { ...d, name: 'To prices', steps: [{ name: 'Home', filter: { path: '/' } }, { name: '', filter: { path: '/prices' } }] });
      await post('domain/link', { ...d, description: 'For the board' });
      await post('member', { id: site.shop.id, emails: ['ann@example.org'] });
      await post('client', { ...d, description: 'Server', type: 'oauth', scope_hit: 'w', scope_statistics: 'r' });
      await post('report', { ...d, emails: ['a@example.org'], interval: 1 });
      await post('webhook', { ...d, event: 'order', endpoint: 'https://example.org/hook' });
      await post('view', { ...d, name: 'Google', from: '2026-11-01', to: '2026-11-20', path: ['/'] });
      await site.hit({ user_agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
    }
    for (const part of PARTS) {
      await site.page.goto(`${site.service.baseUrl}/shop?settings=${part}`);
      await site.page.waitForSelector('.settings-part');
      await site.page.waitForTimeout(300);
      await site.page.screenshot({ path: `/tmp/mine-settings/${scheme}-${part}.png`, fullPage: true });
      const b = await site.barriers();
      if (b.length) out.push(`${scheme} ${part}: ${b.join(' | ')}`);
    }
    for (const part of ['clients', 'organizations', 'themes', 'usage']) {
      await site.page.goto(`${site.service.baseUrl}/?settings=${part}`);
      await site.page.waitForSelector('.settings-part');
      await site.page.waitForTimeout(300);
      await site.page.screenshot({ path: `/tmp/mine-settings/${scheme}-account-${part}.png`, fullPage: true });
      const b = await site.barriers();
      if (b.length) out.push(`${scheme} account ${part}: ${b.join(' | ')}`);
    }
    // things
    await site.page.goto(`${site.service.baseUrl}/shop?settings=snippet`);
    await site.page.getByRole('button', { name: 'Send a page view' }).click();
    await site.page.waitForSelector('.setup-outcome strong', { timeout: 8000 }).catch(() => out.push('no outcome'));
    out.push(await site.page.locator('.setup').innerText());
    await site.page.screenshot({ path: `/tmp/mine-settings/${scheme}-setup.png`, fullPage: true });
    await site.page.goto(`${site.service.baseUrl}/shop?settings=goals`);
    await site.page.getByRole('button', { name: 'Change: Prices' }).click();
    await site.page.getByLabel('Try a path').fill('/prices');
    await site.page.waitForTimeout(1500);
    await site.page.screenshot({ path: `/tmp/mine-settings/${scheme}-goal-form.png` });
    out.push(await site.page.locator('.result').innerText());
    out.push(...(await site.barriers()));
    await site.page.goto(`${site.service.baseUrl}/shop?settings=funnels`);
    await site.page.getByRole('button', { name: 'Change: To prices' }).click();
    await site.page.waitForTimeout(1500);
    await site.page.screenshot({ path: `/tmp/mine-settings/${scheme}-funnel-form.png` });
    out.push(await site.page.locator('.result').innerText());
    out.push(...(await site.barriers()));
    out.push(...site.faults);
    await site.context.close();
  }
  console.log(out.join('\n'));
  await site.close();
});
