/** Every endpoint of the service, in one list; a contract test keeps (method, path) unique. */
import { RESOURCES } from '../control/resources/resources.ts';
import { browserEndpoints } from './collect/browser.ts';
import { collectEndpoints } from './collect/collect.ts';
import { creditEndpoints } from './credits.ts';
import { dashboardEndpoints } from './dashboard/page.ts';
import type { Endpoint } from './endpoint.ts';
import { keywordEndpoints } from './external/keywords.ts';
import { healthEndpoints } from './health.ts';
import { accessEndpoints } from './manage/access.ts';
import { auditEndpoints } from './manage/audit.ts';
import { clientEndpoints } from './manage/client.ts';
import { dashboardThemeEndpoints } from './manage/dashboard-theme.ts';
import { domainEndpoints } from './manage/domain.ts';
import { transferEndpoints } from './manage/domain-transfer.ts';
import { exportEndpoints } from './manage/export.ts';
import { goalRegexEndpoints } from './manage/goal-regex.ts';
import { importEndpoints } from './manage/import.ts';
import { invitationEndpoints } from './manage/invitation.ts';
import { memberEndpoints } from './manage/member.ts';
import { organizationEndpoints } from './manage/organization.ts';
import { reportEndpoints } from './manage/report.ts';
import { endpointsOf } from './manage/resource-endpoints.ts';
import { snippetEndpoints } from './manage/snippet.ts';
import { themeEndpoints } from './manage/theme.ts';
import { tokenEndpoints } from './manage/token.ts';
import { noticeEndpoints } from './manage/user-notices.ts';
import { tasteEndpoints } from './manage/user-tastes.ts';
import { webhookDeliveryEndpoints } from './manage/webhook-delivery.ts';
import { openApiEndpoint } from './openapi/endpoint.ts';
import { pageEndpoints } from './pages.ts';
import { passwordEndpoints } from './people/password.ts';
import { secondFactorEndpoints } from './people/second-factor.ts';
import { signInEndpoints } from './people/sign-in.ts';
import { userEndpoints } from './people/user.ts';
import { rootEndpoints } from './root.ts';
import { scriptEndpoints } from './script.ts';
import { sourceIconEndpoints } from './source-icon.ts';
import { batchEndpoints } from './statistics/batch.ts';
import { billingEndpoints } from './statistics/billing.ts';
import { erasureEndpoints } from './statistics/erasure.ts';
import { ledgerEndpoints } from './statistics/ledger.ts';
import { liveEndpoints } from './statistics/live.ts';
import { statisticsEndpoints } from './statistics/statistics.ts';
import { themeFileEndpoints } from './theme-file.ts';
import { unsubscribeEndpoints } from './unsubscribe.ts';

const described: readonly Endpoint[] = [
  ...collectEndpoints,
  ...browserEndpoints,
  ...statisticsEndpoints,
  ...batchEndpoints,
  ...liveEndpoints,
  ...erasureEndpoints,
  ...keywordEndpoints,
  ...billingEndpoints,
  ...ledgerEndpoints,
  ...domainEndpoints,
  ...transferEndpoints,
  ...tasteEndpoints,
  ...noticeEndpoints,
  ...auditEndpoints,
  ...memberEndpoints,
  ...invitationEndpoints,
  ...organizationEndpoints,
  ...clientEndpoints,
  ...RESOURCES.flatMap(endpointsOf),
  ...themeEndpoints,
  ...dashboardThemeEndpoints,
  ...goalRegexEndpoints,
  ...reportEndpoints,
  ...webhookDeliveryEndpoints,
  ...unsubscribeEndpoints,
  ...snippetEndpoints,
  ...importEndpoints,
  ...exportEndpoints,
  ...tokenEndpoints,
  ...accessEndpoints,
  ...signInEndpoints,
  ...passwordEndpoints,
  ...userEndpoints,
  ...secondFactorEndpoints,
  ...healthEndpoints,
  ...rootEndpoints,
  ...dashboardEndpoints,
  ...creditEndpoints,
  ...themeFileEndpoints,
  ...sourceIconEndpoints,
  ...pageEndpoints,
  ...scriptEndpoints,
];

/** What the edge serves. */
export const endpoints: readonly Endpoint[] = [...described, openApiEndpoint(described)];
